internal import EscrowFormats

/// What programs note of a mail.
struct MailFlags: OptionSet {
    let rawValue: UInt8

    static let seen = MailFlags(rawValue: 1)
    static let flagged = MailFlags(rawValue: 2)
    static let answered = MailFlags(rawValue: 4)
    static let draft = MailFlags(rawValue: 8)
    static let deleted = MailFlags(rawValue: 16)
    /// Deleted in Thunderbird's mbox, which keeps the bytes until it compacts the file: the person sees it no more.
    static let expunged = MailFlags(rawValue: 32)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The flags in the name of a file in `cur`, behind `:2,`.
    init(maildirName name: ArraySlice<UInt8>) {
        self = []
        for byte in name[Self.infoStart(name)...].dropFirst(3) {
            switch byte {
            case UInt8(ascii: "S"): insert(.seen)
            case UInt8(ascii: "F"): insert(.flagged)
            case UInt8(ascii: "R"): insert(.answered)
            case UInt8(ascii: "D"): insert(.draft)
            case UInt8(ascii: "T"): insert(.deleted)
            default: break
            }
        }
    }

    /// Where the flags of a Maildir's file name begin. Where a disk allows no colon, programs write `;` or `!`.
    static func infoStart(_ name: ArraySlice<UInt8>) -> Int {
        for index in name.indices.dropLast(2).reversed() {
            let isMark = [UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "!")].contains(name[index])
            if isMark, name[index + 1] == UInt8(ascii: "2"), name[index + 2] == UInt8(ascii: ",") {
                return index
            }
        }
        return name.endIndex
    }

    /// The flags that programs keep in the headers of an mbox: `Status`, `X-Status`, and Thunderbird's `X-Mozilla-Status`.
    init(_ headers: MailHeaders) {
        self = []
        for byte in headers.first(.status) ?? [] where byte == UInt8(ascii: "R") { insert(.seen) }
        for byte in headers.first(.xStatus) ?? [] {
            switch byte {
            case UInt8(ascii: "A"): insert(.answered)
            case UInt8(ascii: "F"): insert(.flagged)
            case UInt8(ascii: "D"): insert(.deleted)
            case UInt8(ascii: "T"): insert(.draft)
            default: break
            }
        }
        if let text = headers.first(.mozillaStatus)?.trimmed, text.count <= 8,
            let bits = UInt32(String(decoding: text, as: UTF8.self), radix: 16)
        {
            if bits & 1 != 0 { insert(.seen) }
            if bits & 2 != 0 { insert(.answered) }
            if bits & 4 != 0 { insert(.flagged) }
            if bits & 8 != 0 { insert(.expunged) }
        }
    }
}
