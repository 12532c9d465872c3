/// A mesh somebody else described, on its way to a world file: a topology of meshcore_simv2 or a list of nodes.
package struct ImportedMesh: Sendable, Hashable {
    package struct Node: Sendable, Hashable {
        /// As the file calls it, and its name on the mesh.
        package var name: String
        package var role: NodeDocument.Role
        package var latitude: Double?
        package var longitude: Double?
        /// Of its antenna: metres above the ground, and dBi.
        package var height: Double?
        package var gain: Double?
    }

    package struct Link: Sendable, Hashable {
        package var from: Int
        package var to: Int
        package var isOneWay: Bool
        package var snr: Double
        package var rssi: Double?
        /// Share from 0 to 1.
        package var loss: Double
        /// Standard deviation of the SNR in dB.
        package var deviation: Double
    }

    /// In Hz, and the coding rate as 5 … 8.
    package struct Radio: Sendable, Hashable {
        package var bandwidth: Int
        package var spreadingFactor: Int
        package var codingRate: Int
    }

    /// Share of frames that carrier sense misses from the SNR `sure` on, and the SNR at which it misses all.
    package struct CarrierSense: Sendable, Hashable {
        package var misses: Double
        package var sure: Double
        package var deaf: Double
    }

    package var nodes: [Node] = []
    package var links: [Link] = []
    package var radio: Radio?
    package var carrierSense: CarrierSense?
    package var epoch: Int?
    /// Milliseconds over which fading stays alike; 0 when every packet fades by itself.
    package var coherence: Double = 0
    /// What the file holds and a world does not, in words.
    package var leftOut: [String] = []

    /// A world in which every pair may be looked at is of no use beyond this.
    package static let nodeLimit = 20_000
    package static let linkLimit = 500_000

    /// Reads a file by what is in it: JSON with `topology` or a list of nodes, else CSV with a line of column names.
    package static func read(_ bytes: [UInt8], file: String) throws(ScenarioErrors) -> ImportedMesh {
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            do throws(ScenarioError) {
                return try MeshJSONReader.read(try YAMLFile.parse(bytes, file: file))
            } catch {
                throw ScenarioErrors([error])
            }
        }
        do throws(ScenarioError) {
            return try NodeTable.read(bytes, file: file)
        } catch {
            throw ScenarioErrors([error])
        }
    }
}
