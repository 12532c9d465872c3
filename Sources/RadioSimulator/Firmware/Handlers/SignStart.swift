internal import CompanionProtocol

extension CommandHandler {
    /// SIGN_START (companion-protocol §3.37): a new, empty collection.
    static let signStart = CommandHandler(.signStart) { companion in
        companion.signing = []
        companion.reply(.signStarted) { out in
            out.u8(0)
            out.u32(UInt32(Companion.signingLimit))
        }
        return true
    }
}

extension Companion {
    /// Bytes that can be collected for one signature.
    static let signingLimit = 8192
}
