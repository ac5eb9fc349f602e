/// The rules for names of hosts that requests may go to: names that mean one thing everywhere on the internet.
public enum HostName {
    /// The rule that a name breaks.
    public enum Problem: Error, Hashable {
        case address
        case oneLabel
        case spelling
        case tooLong
        /// A name whose last labels are set aside: what follows it in the URL is not asked of the internet's name servers.
        case setAside(String)
        case punycode
        case letters

        /// In words, to be read after "it".
        public var words: String {
            switch self {
            case .address: "has an address of numbers where the host's name belongs"
            case .oneLabel: "has a host of one label, which every network reads in its own way"
            case .spelling:
                "has a host that is no DNS name in lower case: labels of a-z, 0-9 and \"-\" inside, joined by \".\""
            case .tooLong: "has a host of more than 253 bytes, or a label of more than 63"
            case .setAside(let suffix):
                "has a host under \"\(suffix)\", which no name server of the internet answers for"
            case .punycode:
                "has a label that begins with \"xn--\" and is no punycode, or not spelled as it must be"
            case .letters: "has a label \"xn--\" with letters that no name of the internet may hold"
            }
        }
    }

    /// Names that are set aside for other means than DNS, for one's own network, or for nothing: RFC 6761 (`localhost`,
    /// `test`, `invalid`, `example`), 6762 (`local`, and in its appendix G what networks use), 7686 (`onion`), 8375 and all
    /// else of `arpa`, 9476 (`alt`), and what ICANN has set aside (`internal`) or refuses to delegate (`corp`, `home`,
    /// `mail`). A request there goes to a machine of the network one is in, or nowhere.
    static let setAside: Set<String> = [
        "alt", "arpa", "corp", "domain", "example", "home", "internal", "intranet", "invalid", "lan",
        "local", "localdomain", "localhost", "mail", "onion", "private", "test", "workgroup",
    ]

    /// A DNS name of two labels at least whose last begins with a letter, so that it is never an IP address; set aside for
    /// nothing; and where a label is of letters beyond ASCII, spelled in the one way that there is.
    static func check(_ text: String) throws(Problem) {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= 253, labels.allSatisfy({ $0.count <= 63 }) else { throw .tooLong }
        for label in labels {
            guard let first = label.first, let last = label.last, first != 0x2D, last != 0x2D,
                label.allSatisfy({ Spelling.isLowercase($0) || Spelling.isDigit($0) || $0 == 0x2D })
            else { throw .spelling }
        }
        guard let top = labels.last, let first = top.first, Spelling.isLowercase(first) else {
            throw .address
        }
        let suffix = String(decoding: top, as: UTF8.self)
        guard !setAside.contains(suffix) else { throw .setAside(suffix) }
        guard labels.count >= 2 else { throw .oneLabel }
        for label in labels where isEncoded(label) {
            let letters = try decode(label)
            guard areLetters(letters) else { throw .letters }
        }
    }

    /// How a name with labels `xn--` reads, to stand after it: ` ("münchen.de")`; empty for names of ASCII alone.
    ///
    /// Letters that are written from right to left would turn the line around them, so such a name is not spelled out.
    static func reading(of host: String) -> String {
        let labels = host.utf8.split(separator: UInt8(ascii: "."))
        guard labels.contains(where: isEncoded) else { return "" }
        var shown = String.UnicodeScalarView()
        for (index, label) in labels.enumerated() {
            if index > 0 { shown.append(".") }
            if isEncoded(label) {
                guard let letters = try? decode(label), areLetters(letters) else { return "" }
                if letters.contains(where: isRightToLeft) {
                    return " (a name in letters that are written from right to left)"
                }
                shown.append(contentsOf: letters)
            } else {
                shown.append(contentsOf: label.map { Unicode.Scalar($0) })
            }
        }
        return " (\"\(Brief.host(String(shown)))\")"
    }

    private static func isEncoded(_ label: Substring.UTF8View) -> Bool { label.starts(with: "xn--".utf8) }

    /// The letters of a label `xn--…`, which must be what these letters are encoded to again.
    private static func decode(_ label: Substring.UTF8View) throws(Problem) -> [Unicode.Scalar] {
        let code = Array(label.dropFirst(4))
        guard let letters = Punycode.decode(code), letters.contains(where: { !$0.isASCII }),
            Punycode.encode(letters) == code
        else { throw .punycode }
        return letters
    }

    /// Letters, marks and digits that stay as they are when a name is folded, as RFC 5892 derives them from Unicode, without
    /// its exceptions by context; and none of the marks that make a second spelling of a letter that has one of its own.
    private static func areLetters(_ letters: [Unicode.Scalar]) -> Bool {
        guard let first = letters.first, !isMark(first) else { return false }
        return letters.allSatisfy { letter in
            if letter.isASCII { return true }
            switch letter.value {
            // ß and ς are folded and allowed all the same; 〇 is a number and one.
            case 0xDF, 0x3C2, 0x3007: return true
            // Accents, voice marks of kana and the parts of Korean syllables that are joined to one.
            case 0x300...0x36F, 0x3099...0x309A, 0x1100...0x11FF, 0xA960...0xA97F, 0xD7B0...0xD7FF:
                return false
            default: break
            }
            let properties = letter.properties
            guard !properties.changesWhenNFKCCaseFolded, !properties.isDefaultIgnorableCodePoint else {
                return false
            }
            switch properties.generalCategory {
            case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark,
                .decimalNumber:
                return true
            default: return false
            }
        }
    }

    private static func isMark(_ letter: Unicode.Scalar) -> Bool {
        switch letter.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// The blocks of Hebrew, Arabic and their kin.
    private static func isRightToLeft(_ letter: Unicode.Scalar) -> Bool {
        switch letter.value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
