/// Numbers of the United States as E.164 spells them.
public enum PhoneNumber {
    /// Nil for others.
    public static func spelled(_ phone: String) -> String? {
        var digits = phone.utf8.filter { (0x30...0x39).contains($0) }
        if digits.count == 11, digits.first == 0x31 { digits.removeFirst() }
        return digits.count == 10 ? "+1" + String(decoding: digits, as: UTF8.self) : nil
    }
}
