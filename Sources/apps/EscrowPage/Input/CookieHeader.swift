/// What a browser says in `Cookie`.
public enum CookieHeader {
    /// The one value of a name; nil where there is none. Two of one name are none: somebody else set one of them.
    public static func value(of name: String, in header: String) -> String? {
        var found: String?
        for part in header.utf8.split(separator: UInt8(ascii: ";")) {
            let part = part.drop { $0 == 0x20 }
            guard let mark = part.firstIndex(of: UInt8(ascii: "=")), part[..<mark].elementsEqual(name.utf8)
            else { continue }
            guard found == nil else { return nil }
            found = String(decoding: part[part.index(after: mark)...], as: UTF8.self)
        }
        return found
    }
}
