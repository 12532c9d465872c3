// Tests of CompanionProtocol.
