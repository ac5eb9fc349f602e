/// The name of a file in one run: two random words, spelled only when a row needs it, as a string for each costs an
/// allocation.
struct AssetHandle: Hashable {
    private let first: UInt64
    private let second: UInt64

    /// Thirteen digits of five bits each spell a word of 64 bits.
    private static let digits = 13
    private static let length = 2 + 2 * digits

    init(_ first: UInt64, _ second: UInt64) {
        self.first = first
        self.second = second
    }

    /// Reads what ``text`` spells; nil for anything else.
    init?(_ text: UnsafeRawBufferPointer) {
        guard text.count == Self.length, text[0] == UInt8(ascii: "a"),
            text[1 + Self.digits] == UInt8(ascii: "-"),
            let first = Self.word(text, at: 1), let second = Self.word(text, at: 2 + Self.digits)
        else { return nil }
        self.init(first, second)
    }

    /// `a`, and both words to the base of 32 with `-` between them.
    var text: String {
        String(unsafeUninitializedCapacity: Self.length) { text in
            text[0] = UInt8(ascii: "a")
            Self.spell(first, into: text, at: 1)
            text[1 + Self.digits] = UInt8(ascii: "-")
            Self.spell(second, into: text, at: 2 + Self.digits)
            return Self.length
        }
    }

    private static func spell(_ word: UInt64, into text: UnsafeMutableBufferPointer<UInt8>, at start: Int) {
        for place in 0..<digits {
            let digit = UInt8(truncatingIfNeeded: word >> UInt64(5 * (digits - 1 - place)) & 31)
            text[start + place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
        }
    }

    private static func word(_ text: UnsafeRawBufferPointer, at start: Int) -> UInt64? {
        var word: UInt64 = 0
        for place in start..<start + digits {
            let digit: UInt8
            switch text[place] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = text[place] - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "v"): digit = text[place] - UInt8(ascii: "a") + 10
            default: return nil
            }
            // The first digit has four bits: with a fifth there would be two texts for one word.
            guard word >> 59 == 0 else { return nil }
            word = word << 5 | UInt64(digit)
        }
        return word
    }
}
