/// Texts that take room when they are spelled, or that a reader may stumble over; the same for the same seed.
struct HostileText: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// What is grown by spelling, what joins with its neighbours, what ends lines, and what is long in UTF-8. A NUL, which
    /// readers refuse, comes once in a while.
    static let pieces: [String] = [
        "a", "\"", "\\", "\u{1}", "\u{8}", "\n", "\r\n", "\t", "\u{7F}", "\u{85}", "\u{2028}", "\u{301}", "é",
        "e\u{301}",
        "漢", "👩‍👩‍👧", "\u{202E}", "\u{FEFF}", "\u{10FFFF}", "'", " ", "#", ":name",
    ]

    /// A text of about so many bytes.
    mutating func text(_ bytes: Int) -> String {
        var text = ""
        while text.utf8.count < bytes {
            let piece = Self.pieces[Int(next() % UInt64(Self.pieces.count))]
            text += String(repeating: piece, count: 1 + Int(next() % 8))
        }
        if next() % 16 == 0 { text += "\u{0}" }
        return text
    }

    /// A name of digits.
    mutating func digits(_ count: Int) -> String {
        let text = String(next(), radix: 16)
        return String((String(repeating: "0", count: count) + text).suffix(count))
    }
}
