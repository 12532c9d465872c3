package import RigBase

/// Reads numbers with units out of scalar text, with whole-number arithmetic only; nil means that the text is not one.
package enum ScalarText {
    /// Decimal (leading zeros mean nothing) or `0x` hex, with an optional sign.
    package static func integer(_ text: String) -> Int? {
        var digits = Substring(text)
        let isNegative = digits.first == "-"
        if isNegative || digits.first == "+" { digits = digits.dropFirst() }
        let radix = digits.hasPrefix("0x") ? 16 : 10
        if radix == 16 { digits = digits.dropFirst(2) }
        guard let first = digits.first, first != "-", first != "+" else { return nil }
        return Int((isNegative ? "-" : "") + digits, radix: radix)
    }

    /// `text` times 10 to the power of `places`; nil when it has more digits after the point than that.
    package static func fixedPoint(_ text: some StringProtocol, places: Int) -> Int? {
        var rest = Substring(text)
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest = rest.dropFirst() }
        let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty, whole.allSatisfy(isDigit) else { return nil }
        let fraction = parts.count == 2 ? parts[1] : ""
        if parts.count == 2 { guard !fraction.isEmpty, fraction.allSatisfy(isDigit) else { return nil } }
        guard fraction.count <= places else { return nil }
        let padded = String(whole) + fraction + String(repeating: "0", count: places - fraction.count)
        return Int((isNegative ? "-" : "") + padded)
    }

    /// The decimal number that `fixedPoint` reads as `value`, without zeros at its end.
    package static func decimalText(_ value: Int, places: Int) -> String {
        let digits = String(value.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        var fraction = padded.suffix(places)
        while fraction.last == "0" { fraction = fraction.dropLast() }
        return (value < 0 ? "-" : "") + padded.dropLast(places) + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// One or more numbers with units, largest first by habit but not by rule: us, ms, s, min, h, d.
    package static func duration(_ text: String, signed: Bool = false) -> Duration? {
        var rest = Substring(text)
        var isNegative = false
        if signed, rest.first == "-" || rest.first == "+" {
            isNegative = rest.first == "-"
            rest = rest.dropFirst()
        }
        guard !rest.isEmpty else { return nil }
        var total: Int64 = 0
        while !rest.isEmpty {
            let number = rest.prefix { isDigit($0) || $0 == "." }
            rest = rest.dropFirst(number.count)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            guard let scale = nanoseconds(in: unit), let value = fixedPoint(number, places: 6) else { return nil }
            let product = Int64(value).multipliedFullWidth(by: scale)
            guard product.high < 500_000 else { return nil }
            let (sum, overflow) = total.addingReportingOverflow(Int64(1_000_000).dividingFullWidth(product).quotient)
            guard !overflow else { return nil }
            total = sum
        }
        return .nanoseconds(isNegative ? -total : total)
    }

    /// `10%` (up to four digits after the point), `1/8`, or `0`.
    package static func ratio(_ text: String) -> Ratio? {
        if text == "0" { return .never }
        if text.hasSuffix("%") {
            guard let value = fixedPoint(text.dropLast(), places: 4), (0...1_000_000).contains(value) else {
                return nil
            }
            return Ratio(partsPerMillion: UInt32(value))
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let above = integer(String(parts[0])), let below = integer(String(parts[1])),
            above >= 0, below > 0, above <= below, below <= UInt32.max
        else { return nil }
        return Ratio(UInt32(above), in: UInt32(below))
    }

    /// Decimal dB as quarter dB, rounded to the nearest, halves away from zero.
    package static func quarterDecibel(_ text: String) -> Int? {
        guard let value = fixedPoint(text, places: 6), abs(value) <= 1_000_000_000 else { return nil }
        let scaled = value * 4
        return (scaled + (scaled < 0 ? -500_000 : 500_000)) / 1_000_000
    }

    private static func nanoseconds(in unit: Substring) -> Int64? {
        switch unit {
        case "us": 1_000
        case "ms": 1_000_000
        case "s": 1_000_000_000
        case "min": 60_000_000_000
        case "h": 3_600_000_000_000
        case "d": 86_400_000_000_000
        default: nil
        }
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}
