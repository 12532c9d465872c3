// Tests of RigCrypto.
