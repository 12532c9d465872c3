internal import CompanionProtocol

extension CommandHandler {
    /// GET_STATS (companion-protocol §3.41, §4.7).
    static let getStatistics = CommandHandler(.getStatistics) { companion in
        let command = companion.command
        guard command.length >= 2 else { return false }
        let (node, counters) = (companion.node, companion.node.counters)
        switch command[1] {
        case 0:
            companion.reply(.statistics) { out in
                out.u8(0)
                out.u16(companion.battery)
                out.u32(UInt32(truncatingIfNeeded: node.uptime / 1_000))
                out.u16(node.errorFlags)
                out.u8(UInt8(truncatingIfNeeded: node.sendQueue.count))
            }
        case 1:
            companion.reply(.statistics) { out in
                out.u8(1)
                out.u16(UInt16(bitPattern: node.noiseFloor))
                out.i8(node.lastRSSI)
                out.i8(node.lastSNR)
                out.u32(UInt32(truncatingIfNeeded: counters.transmitAirtime / 1_000))
                out.u32(UInt32(truncatingIfNeeded: counters.receiveAirtime / 1_000))
            }
        case 2:
            companion.reply(.statistics) { out in
                out.u8(2)
                out.u32(counters.received)
                out.u32(counters.sent)
                out.u32(counters.sentFlood)
                out.u32(counters.sentDirect)
                out.u32(counters.receivedFlood)
                out.u32(counters.receivedDirect)
                if companion.profile.protocolCode >= 9 { out.u32(counters.receiveErrors) }
            }
        default: companion.error(.illegalArgument)
        }
        return true
    }
}
