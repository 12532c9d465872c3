import CompanionProtocol
import RigBase

/// Short ways to write what a radio holds and sends.
enum Make {
    static func key(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    static func contact(
        _ byte: UInt8, _ name: String, type: ContactType = .chat, modified: UInt32 = 100,
        path: PathLengthByte = .zeroHops
    ) -> ContactRecord {
        ContactRecord(
            key: key(byte), type: type, pathLength: path, name: WireText(name), lastModified: modified)
    }

    static func direct(
        _ byte: UInt8, _ text: String, time: UInt32 = Lab.epoch, type: TextType = .plain
    ) -> RadioFrame {
        .directMessage(
            DirectMessageReply(
                snrQuarterDB: 20, senderPrefix: [UInt8](repeating: byte, count: 6), pathLength: .zeroHops, type: type,
                timestamp: time, author: type == .signed ? [1, 2, 3, 4] : nil, text: WireText(text)))
    }

    static func channel(_ index: UInt8, _ text: String, time: UInt32 = Lab.epoch) -> RadioFrame {
        .channelMessage(
            ChannelMessageReply(
                snrQuarterDB: 20, channel: index, pathLength: .zeroHops, timestamp: time, text: WireText(text)))
    }

    static let datagram = RadioFrame.channelData(
        ChannelDataReply(
            snrQuarterDB: 20, channel: 0, pathLength: .zeroHops, dataType: 7, data: [1]))

    static func error(_ code: DeviceErrorCode) -> FakeRadio.Answer { .frames([.error(ErrorReply(error: code))]) }
}
