import MeshProtocol
import RigBase

@testable import Conformance

/// Header rows of two companions with the recordings' published keys.
enum RecordingSample {
    static let header = row("A", seed: 1)
    static let secondHeader = row("B", seed: 2)

    static func row(_ name: String, kind: String = "companion", seed: Int) -> String {
        let identity = Identity(seed: RecorderIdentity.seed(of: name))
        let key = identity.privateKey.reveal { Hex.encode($0) }
        return #"{"t":-1,"node":"\#(name)","kind":"\#(kind)","seed":\#(seed),"rtc":1750000000,"#
            + #""pub":"\#(identity.publicKey)","prv":"\#(key)","env":{}}"#
    }
}
