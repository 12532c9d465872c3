// Tests of MeshCoreClient.
