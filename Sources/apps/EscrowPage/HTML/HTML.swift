import EscrowConsent

/// A piece of a page. There is no way to make one out of text without the text being escaped: literals and what stands in them
/// are text, elements come from a closed list, and no function takes markup.
public struct HTML: Sendable, ExpressibleByStringInterpolation {
    /// As it is written.
    let source: String

    private init(markup: String) { source = markup }

    /// Text, with every letter that a page or a reader would obey made visible.
    public init(_ text: String) { source = Self.escaped(text) }

    public init(stringLiteral text: String) { self.init(text) }

    public init(stringInterpolation: StringInterpolation) { source = stringInterpolation.source }

    /// Text with pieces in it; what is put in as text is escaped as text is.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var source = ""
        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) { source += HTML.escaped(literal) }
        public mutating func appendInterpolation(_ text: String) { source += HTML.escaped(text) }
        public mutating func appendInterpolation(_ number: some BinaryInteger) { source += "\(number)" }
        public mutating func appendInterpolation(_ piece: HTML) { source += piece.source }
    }

    /// An element with what it holds.
    static func element(_ tag: Tag, _ attributes: [Attribute], _ children: [HTML]) -> HTML {
        var source = "<\(tag.rawValue)"
        for attribute in attributes { source += attribute.source }
        source += ">"
        guard !tag.isVoid else { return HTML(markup: source) }
        for child in children { source += child.source }
        return HTML(markup: source + "</\(tag.rawValue)>")
    }

    /// Pieces one after the other.
    public static func all(_ pieces: [HTML]) -> HTML { HTML(markup: pieces.map(\.source).joined()) }

    /// A whole page, as it is sent.
    static func page(_ head: HTML, _ body: HTML) -> [UInt8] {
        Array(
            "<!DOCTYPE html><html lang=\"en\"><head>\(head.source)</head><body>\(body.source)</body></html>\n"
                .utf8)
    }

    /// Text as text: markup is inert, and what turns, hides or repaints letters is shown as its code.
    static func escaped(_ text: String) -> String {
        var isPlain = true
        for byte in text.utf8 where byte < 0x20 || byte > 0x7E || special(byte) != nil {
            isPlain = false
            break
        }
        if isPlain { return text }
        var shown: [UInt8] = []
        for byte in PlainText.verbatim(Array(text.utf8)).utf8 {
            if let entity = special(byte) { shown += Array(entity.utf8) } else { shown.append(byte) }
        }
        return String(decoding: shown, as: UTF8.self)
    }

    private static func special(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        case UInt8(ascii: "`"): "&#96;"
        default: nil
        }
    }
}

/// An element: `element(.p, "text")`.
func element(_ tag: Tag, _ attributes: [Attribute] = [], _ children: HTML...) -> HTML {
    HTML.element(tag, attributes, children)
}

/// An element around a list.
func element(_ tag: Tag, _ attributes: [Attribute] = [], all children: [HTML]) -> HTML {
    HTML.element(tag, attributes, children)
}

/// The elements that a page can have. None runs, frames or embeds anything.
enum Tag: String {
    case a, article, bdi, button, caption, code, dd, details, div, dl, dt, em, fieldset, footer, form,
        h1
    case h2, h3, header, input, label, legend, li, link, main, meta, nav, option, p, pre, script, section
    case select, span, strong, summary, svg, table, tbody, td, textarea, th, thead, time, title, tr, ul
    case g, img, path, rect, text

    var isVoid: Bool { [.img, .input, .meta, .link].contains(self) }
}
