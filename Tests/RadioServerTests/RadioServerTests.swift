// Tests of RadioServer.
