internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// GET_ADVERT_PATH (companion-protocol §3.40, §6.8).
    static let getAdvertPath = CommandHandler(.getAdvertPath) { companion in
        let command = companion.command
        guard command.length >= 34 else { return false }
        guard let entry = companion.advertPaths.entry(for: command.slice(2, 7)) else {
            companion.error(.notFound)
            return true
        }
        companion.reply(.advertPath) { out in
            out.u32(entry.time)
            out.u8(entry.length.rawValue)
            out.append(entry.path)
        }
        return true
    }
}
