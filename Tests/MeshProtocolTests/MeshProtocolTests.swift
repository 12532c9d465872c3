// Tests of MeshProtocol.
