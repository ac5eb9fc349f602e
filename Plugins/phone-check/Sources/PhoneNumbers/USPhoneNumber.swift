/// Whether a text is a telephone number of the North American Numbering Plan, as people write it in the United States.
///
/// Ten digits: an area code `NXX`, an exchange code `NXX` and a line `XXXX`, where `N` is 2 to 9 and `X` any digit.
/// Neither code may end in `11` (those are services, such as 411 and 911), and no area code has a 9 in the middle
/// (kept for a longer plan). Before them may stand `+1`, `1` or, from abroad, `001`; after them an extension. This says
/// that a number is well formed, not that somebody answers.
public enum USPhoneNumber {
    /// The most bytes of a number; anything longer is something else.
    private static let maximumLength = 40

    /// Whether the UTF-8 text is such a number.
    public static func isValid(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count <= maximumLength, let number = digits(of: text) else { return false }
        guard number.hasPlus else {
            return switch number.count {
            case 10: isNational(number.digits, from: 0)
            case 11: number.digits[0] == 1 && isNational(number.digits, from: 1)
            case 13:
                number.digits[0] == 0 && number.digits[1] == 0 && number.digits[2] == 1
                    && isNational(number.digits, from: 3)
            default: false
            }
        }
        return number.count == 11 && number.digits[0] == 1 && isNational(number.digits, from: 1)
    }

    private typealias Digits = InlineArray<16, UInt8>

    /// The ten digits from `start` on.
    private static func isNational(_ digits: Digits, from start: Int) -> Bool {
        let area = digits[start] >= 2 && digits[start + 1] != 9 && !isService(digits, at: start)
        let exchange = digits[start + 3] >= 2 && !isService(digits, at: start + 3)
        return area && exchange
    }

    private static func isService(_ digits: Digits, at start: Int) -> Bool {
        digits[start + 1] == 1 && digits[start + 2] == 1
    }

    /// The digits up to an extension; nil if anything stands there that does not belong into a number.
    private static func digits(of text: UnsafeRawBufferPointer) -> (
        digits: Digits, count: Int, hasPlus: Bool
    )? {
        var digits = Digits(repeating: 0)
        var count = 0
        var hasPlus = false
        var isOpen = false
        var at = skipScheme(text)
        while at < text.count {
            let byte = text[at]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard count < 16 else { return nil }
                digits[count] = byte - UInt8(ascii: "0")
                count += 1
            case UInt8(ascii: "+"):
                guard count == 0, !hasPlus, !isOpen else { return nil }
                hasPlus = true
            case UInt8(ascii: "("):
                guard !isOpen else { return nil }
                isOpen = true
            case UInt8(ascii: ")"):
                guard isOpen, count > 0 else { return nil }
                isOpen = false
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"), 0x09: break
            case 0xC2 where at + 1 < text.count && text[at + 1] == 0xA0: at += 1  // no-break space
            case 0xE2 where at + 2 < text.count && isDashOrSpace(text[at + 1], text[at + 2]): at += 2
            case UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "e"), UInt8(ascii: "E"),
                UInt8(ascii: ";"),
                UInt8(ascii: "#"):
                guard !isOpen, isExtension(text, from: at) else { return nil }
                return (digits, count, hasPlus)
            default: return nil
            }
            at += 1
        }
        return isOpen ? nil : (digits, count, hasPlus)
    }

    /// U+2010 to U+2015 are dashes, U+202F is a narrow no-break space; all begin with E2 80.
    private static func isDashOrSpace(_ second: UInt8, _ third: UInt8) -> Bool {
        second == 0x80 && ((0x90...0x95).contains(third) || third == 0xAF)
    }

    /// vCard 4.0 spells a number as a URI (RFC 3966): `tel:+1-202-555-0123;ext=7`.
    private static func skipScheme(_ text: UnsafeRawBufferPointer) -> Int {
        text.starts(with: "tel:".utf8) ? 4 : 0
    }

    /// `x7`, `ext. 7`, `;ext=7`, `# 7`: a mark, then one to seven digits and nothing else.
    private static func isExtension(_ text: UnsafeRawBufferPointer, from start: Int) -> Bool {
        var at = start
        if text[at] == UInt8(ascii: ";") { at += 1 }
        let marks: [[UInt8]] = ["extension", "ext.", "ext=", "ext", "x", "#"].map { Array($0.utf8) }
        let rest = UnsafeRawBufferPointer(rebasing: text[at...])
        guard
            let mark = marks.first(where: { mark in
                rest.count >= mark.count && zip(rest, mark).allSatisfy { $0 | 0x20 == $1 | 0x20 }
            })
        else { return false }
        at += mark.count
        while at < text.count, text[at] == 0x20 { at += 1 }
        let digits = text[at...]
        return (1...7).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
    }
}
