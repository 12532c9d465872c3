// Tests of ClientServices.
