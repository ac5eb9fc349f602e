import EscrowConsent
public import EscrowJSON
public import EscrowLedger

/// Numbers, times and names as people read them.
public enum Words {
    /// `1.2 kB`: in steps of a thousand.
    public static func bytes(_ count: Int64) -> String {
        guard count >= 1000 else { return "\(count) bytes" }
        var value = Double(count)
        for unit in ["kB", "MB", "GB", "TB"] {
            value /= 1000
            if value < 999.5 || unit == "TB" {
                return value < 9.95
                    ? "\((value * 10).rounded() / 10) \(unit)" : "\(Int(value.rounded())) \(unit)"
            }
        }
        return "\(count) bytes"
    }

    /// `2 runs`.
    public static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(number) \(number == 1 ? one : many ?? one + "s")"
    }

    /// A time to the second, UTC: `2026-11-23 20:15:03`.
    public static func time(_ time: LedgerTime) -> String { self.time("\(time)") }

    /// The same of a time as it is written in files.
    public static func time(_ text: String) -> String {
        guard text.utf8.count >= 19 else { return short(text) }
        return String(text.prefix(19)).replacing("T", with: " ")
    }

    /// Somebody else's name, fit for a line.
    public static func short(_ text: String) -> String { PlainText.neutral(text, longest: 96) }

    /// `contact phone numbers` of `ContactPhoneNumbers`.
    public static func table(_ name: String) -> String {
        var text = ""
        for letter in name {
            if letter.isUppercase, text.last?.isLowercase == true { text += " " }
            text.append(letter)
        }
        return text.lowercased()
    }

    /// A value of a record.
    public static func value(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .array(let items): items.map(self.value).joined(separator: ", ")
        case .object(let members):
            members.map { "\($0.name): \(self.value($0.value))" }.joined(separator: "; ")
        default: String(decoding: JSONWriter.line(value), as: UTF8.self)
        }
    }
}
