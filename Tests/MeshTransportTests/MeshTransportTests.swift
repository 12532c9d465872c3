// Tests of MeshTransport.
