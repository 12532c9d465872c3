/// How the console of a server writes and reads values (remote-nodes §4.4).
enum ConsoleText {
    /// A single-precision number with up to seven decimals, cut, without trailing zeros but with at least one digit.
    static func float(_ value: Float) -> String {
        guard value.isFinite, value.magnitude < 1e9 else { return "0.0" }
        let exact = Double(value.magnitude)
        let whole = Int64(exact)
        var fraction = String(Int64((exact - Double(whole)) * 1e7))
        fraction = String(repeating: "0", count: max(0, 7 - fraction.count)) + fraction
        while fraction.count > 1, fraction.hasSuffix("0") { fraction.removeLast() }
        return (value < 0 ? "-" : "") + "\(whole).\(fraction)"
    }

    /// Thousandths without trailing zeros: `62.5`, `250`.
    static func thousandths(_ value: UInt32) -> String {
        var fraction = String(value % 1_000)
        fraction = String(repeating: "0", count: max(0, 3 - fraction.count)) + fraction
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(value / 1_000)" + (fraction.isEmpty ? "" : ".\(fraction)")
    }

    /// `HH:MM - D/M/YYYY UTC`.
    static func clock(_ seconds: UInt32) -> String {
        func two(_ number: UInt32) -> String { (number < 10 ? "0" : "") + "\(number)" }
        // Days counted in 400-year cycles that begin in March, so that the leap day ends its year.
        let days = Int(seconds / 86_400) + 719_468
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + days / 146_097 * 400 + (month <= 2 ? 1 : 0)
        return "\(two(seconds % 86_400 / 3_600)):\(two(seconds % 3_600 / 60)) - \(day)/\(month)/\(year) UTC"
    }

    /// The number a text begins with, 0 when it begins with none, as C's `atof` reads decimal numbers.
    static func number(_ text: Substring) -> Double {
        let body = Array(text.utf8.drop { $0 == UInt8(ascii: " ") })
        func isDigit(_ index: Int) -> Bool { index < body.count && (0x30...0x39).contains(body[index]) }
        func isSign(_ index: Int) -> Bool { index < body.count && (body[index] == 0x2B || body[index] == 0x2D) }
        var end = isSign(0) ? 1 : 0
        while isDigit(end) { end += 1 }
        if end < body.count, body[end] == UInt8(ascii: ".") {
            end += 1
            while isDigit(end) { end += 1 }
        }
        if end < body.count, body[end] | 0x20 == UInt8(ascii: "e") {
            var behind = end + 1
            if isSign(behind) { behind += 1 }
            if isDigit(behind) {
                while isDigit(behind) { behind += 1 }
                end = behind
            }
        }
        return Double(String(decoding: body[..<end], as: UTF8.self)) ?? 0
    }

    /// `number`, cut to a whole number that fits.
    static func integer(_ text: Substring) -> Int { Int(max(-2e9, min(2e9, number(text)))) }
}
