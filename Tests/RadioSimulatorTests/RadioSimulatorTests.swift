// Tests of RadioSimulator.
