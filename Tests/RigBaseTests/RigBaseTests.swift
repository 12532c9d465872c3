// Tests of RigBase.
