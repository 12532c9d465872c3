// Tests of RunRecord.
