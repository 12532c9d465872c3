/// Writes HTML: what is content is escaped, what is markup stands in the source.
struct HTMLText {
    private(set) var text = ""

    /// Markup as it is; nothing that a run has said may come here.
    mutating func markup(_ markup: StaticString) { text += "\(markup)" }

    /// Content between tags.
    mutating func content(_ content: String) { text += Self.escaped(content) }

    /// An element whose only content is text.
    mutating func element(_ name: StaticString, with attributes: [(StaticString, String)] = [], _ content: String) {
        open(name, attributes)
        text += Self.escaped(content)
        close(name)
    }

    mutating func element(
        _ name: StaticString, with attributes: [(StaticString, String)] = [], _ body: (inout HTMLText) -> Void
    ) {
        open(name, attributes)
        body(&self)
        close(name)
    }

    mutating func open(_ name: StaticString, _ attributes: [(StaticString, String)] = []) {
        text += "<\(name)"
        for attribute in attributes { text += " \(attribute.0)=\"\(Self.escaped(attribute.1))\"" }
        text += ">"
    }

    mutating func close(_ name: StaticString) { text += "</\(name)>\n" }

    mutating func append(_ other: HTMLText) { text += other.text }

    /// A table; the first of its columns is the head of each row.
    mutating func table(caption: String, _ heads: [String], _ rows: [[String]]) {
        markup("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table>")
        element("caption", caption)
        element("thead") { html in
            html.element("tr") { html in for head in heads { html.element("th", with: [("scope", "col")], head) } }
        }
        element("tbody") { html in
            for row in rows {
                html.element("tr") { html in
                    for (index, cell) in row.enumerated() {
                        if index == 0 {
                            html.element("th", with: [("scope", "row")], cell)
                        } else {
                            html.element("td", cell)
                        }
                    }
                }
            }
        }
        markup("</table></div>\n")
    }

    /// For elements and quoted attributes alike. Control characters and overrides of direction are shown as `\xNN`.
    static func escaped(_ text: String) -> String {
        var out = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.offset > 0 { out += "\n" }
            for scalar in PlainText.printable(String(line.element)).unicodeScalars {
                switch scalar {
                case "&": out += "&amp;"
                case "<": out += "&lt;"
                case ">": out += "&gt;"
                case "\"": out += "&quot;"
                case "'": out += "&#39;"
                default: out.unicodeScalars.append(scalar)
                }
            }
        }
        return out
    }

    /// At most so many characters, with a mark where more were.
    static func cut(_ text: String, _ limit: Int) -> String {
        text.count > limit ? text.prefix(limit - 1) + "…" : text
    }
}
