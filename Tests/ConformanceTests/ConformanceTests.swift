// Tests of Conformance.
