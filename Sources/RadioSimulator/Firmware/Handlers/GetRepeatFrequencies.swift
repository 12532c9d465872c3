internal import CompanionProtocol

extension CommandHandler {
    /// GET_ALLOWED_REPEAT_FREQ (companion-protocol §3.46).
    static let getRepeatFrequencies = CommandHandler(.getRepeatFrequencies) { companion in
        companion.reply(.repeatFrequencies) { out in
            for range in Companion.repeatFrequencies {
                out.u32(range.lowerBound)
                out.u32(range.upperBound)
            }
        }
        return true
    }
}

extension Companion {
    /// Frequencies in kHz on which a companion may repeat.
    static let repeatFrequencies: [ClosedRange<UInt32>] = [
        433_000...433_000, 869_495...869_495, 918_000...918_000,
    ]
}
