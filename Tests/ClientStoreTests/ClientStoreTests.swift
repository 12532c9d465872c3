// Tests of ClientStore.
