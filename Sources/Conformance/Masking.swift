internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// The values of a recording that nobody ever wrote, and that are therefore not compared. The list is data beside the
/// recordings, `masks.json`; recordings without one get the whole list.
package struct MaskList: Sendable, Equatable {
    /// Values this program knows how to leave out.
    package enum Value: String, Sendable, CaseIterable {
        /// Fifth byte of an acknowledgement for a text that fills its last block (companion-protocol §15.6).
        case fifthAckByte = "fifth-ack-byte"
        /// Position of a contact that was added without one (companion-protocol §15.6).
        case positionNeverGiven = "position-never-given"
    }

    package var values: [Value]

    /// Everything the recordings' description calls undefined.
    package static let all = MaskList(values: Value.allCases)

    package init(values: [Value]) { self.values = values }

    /// Reads `masks.json`.
    package init(file: String, contents: [UInt8]) throws(RecordingError) {
        let list: JSONValue
        do throws(JSONError) {
            list = try JSONReader.read(contents[...])
        } catch {
            throw RecordingError(file: file, line: 1, problem: "not JSON: \(error.problem)")
        }
        guard let entries = list["masks"]?.elements else {
            throw RecordingError(file: file, line: 1, problem: "'masks' is missing or no list")
        }
        values = []
        for entry in entries {
            guard let value = entry["value"]?.text.flatMap(Value.init(rawValue:)) else {
                throw RecordingError(
                    file: file, line: 1,
                    problem: "an entry of 'masks' names no known 'value'; there are "
                        + Value.allCases.map(\.rawValue).joined(separator: " and "))
            }
            values.append(value)
        }
    }
}

/// Brings frames and packets into the form in which recording and simulation are compared: bytes that the firmware
/// takes from memory it never wrote are zeroed on both sides (companion-protocol §15.6, mesh-protocol §12.6).
struct Masking {
    private let identities: [Identity]
    /// Acknowledgements of texts that fill their last cipher block, whose fifth byte is left-over memory.
    private var unpaddedAcks: Set<AckHash> = []

    /// Learns from the recorded packets which acknowledgements have an undefined byte.
    init(_ recording: Recording, _ masks: MaskList = .all) {
        identities = recording.nodes.compactMap { Identity(privateKey: $0.privateKey) }
        guard masks.values.contains(.fifthAckByte) else { return }
        for row in recording.rows {
            switch row.content {
            case .onAir(_, let bytes, _, _), .inject(_, let bytes, _, _, _): learn(from: bytes)
            default: break
            }
        }
    }

    private mutating func learn(from bytes: [UInt8]) {
        guard let packet = try? Packet(parsing: bytes), packet.type == .textMessage,
            let (opened, sender) = open(packet), let text = TextMessage(opened: opened), text.type == .plain,
            TextMessage.ackExtra(opened: opened) == nil
        else { return }
        unpaddedAcks.insert(text.ackHash(key: sender.publicKey))
    }

    /// Opens a payload between two nodes of the recording.
    private func open(_ packet: Packet) -> (opened: [UInt8], sender: Identity)? {
        guard let envelope = PeerEnvelope(parsing: packet.payload) else { return nil }
        for sender in identities where sender.publicKey.nodeHash == envelope.source {
            for recipient in identities where recipient.publicKey.nodeHash == envelope.destination {
                let secret = sender.sharedSecret(with: recipient.publicKey)
                if let opened = secret.open(envelope.sealed) { return (opened, sender) }
            }
        }
        return nil
    }

    /// The packet's bytes; of an acknowledgement with an undefined byte, that byte zeroed. A PATH that carries one is
    /// replaced by its opened text, because the byte changes all of its ciphertext.
    func packet(_ bytes: [UInt8]) -> [UInt8] {
        guard !unpaddedAcks.isEmpty, var packet = try? Packet(parsing: bytes) else { return bytes }
        switch packet.type {
        case .ack:
            packet.payload = acknowledgement(packet.payload)
            return packet.encoded
        case .multipart:
            guard var multipart = MultipartAck(parsing: packet.payload) else { return bytes }
            multipart.ack = acknowledgement(multipart.ack)
            packet.payload = multipart.encoded
            return packet.encoded
        case .path:
            guard let (opened, _) = open(packet), var returned = PathReturn(opened: opened),
                returned.payloadType == .ack
            else { return bytes }
            let masked = acknowledgement(returned.extra)
            guard masked != returned.extra || isUndefined(returned.extra) else { return bytes }
            returned.extra = masked
            packet.payload = Array(packet.payload.prefix(2)) + returned.plaintext
            return packet.encoded
        default: return bytes
        }
    }

    private func isUndefined(_ ack: [UInt8]) -> Bool {
        ack.count >= 6 && AckHash(parsing: ack).map { unpaddedAcks.contains($0) } == true
    }

    private func acknowledgement(_ ack: [UInt8]) -> [UInt8] {
        guard isUndefined(ack) else { return ack }
        var masked = ack
        masked[4] = 0
        return masked
    }

    /// A frame to the app; raw packets in it are treated like `packet`.
    func frame(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.first == 0x88, bytes.count > 3 else { return bytes }
        return Array(bytes[..<3]) + packet(Array(bytes[3...]))
    }
}

/// Follows the commands of a recording to know which bytes of a coming frame nobody ever wrote.
struct FrameMasking {
    /// Contacts made by a command that was too short to hold a position.
    private var withoutPosition: [[UInt8]] = []
    private var known: [[UInt8]] = []

    mutating func sees(command: [UInt8]) {
        guard command.count >= 33 else { return }
        let key = Array(command[1..<33])
        switch command[0] {
        case 0x09:
            if command.count >= 144 {
                withoutPosition.removeAll { $0 == key }
            } else if !known.contains(key) {
                withoutPosition.append(key)
            }
            if !known.contains(key) { known.append(key) }
        case 0x12: sees(packet: command[1...])
        case 0x0F:
            known.removeAll { $0 == key }
            withoutPosition.removeAll { $0 == key }
        default: break
        }
    }

    /// A packet the node has heard: an advert with a position gives its contact one.
    mutating func sees(packet bytes: some Collection<UInt8>) {
        guard !withoutPosition.isEmpty, let packet = try? Packet(parsing: Array(bytes)), packet.type == .advert,
            let advert = Advert(parsing: packet.payload), advert.isAuthentic, advert.contents?.position != nil
        else { return }
        withoutPosition.removeAll { $0 == advert.key.bytes }
    }

    /// Byte ranges of a CONTACT frame that hold no value.
    func ranges(in frame: [UInt8]) -> [Range<Int>] {
        guard frame.first == 0x03, frame.count >= 144, withoutPosition.contains(Array(frame[1..<33])) else {
            return []
        }
        return [136..<144]
    }
}
