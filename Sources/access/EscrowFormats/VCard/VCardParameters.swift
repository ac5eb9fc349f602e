/// The parameters of one property and where its value begins: `;TYPE=home,cell;PREF=1:+1 555 0100`.
package struct VCardParameters {
    /// The kinds of address that types name.
    package struct Types: OptionSet {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }
        static let home = Types(rawValue: 1)
        static let work = Types(rawValue: 2)
        static let mobile = Types(rawValue: 4)
        static let fax = Types(rawValue: 8)
        static let pager = Types(rawValue: 16)
        static let main = Types(rawValue: 32)
        static let other = Types(rawValue: 64)
    }

    /// The value, in the card's arena.
    package private(set) var value: Range<Int>
    /// The types that are known.
    package private(set) var types: Types = []
    /// 1 (most preferred) to 100, or nil: `PREF=n` of version 4, `TYPE=pref` of the versions before.
    package private(set) var preference: Int?
    /// The charset to convert from; nil for UTF-8 or unknown.
    private(set) var charset: Charset?
    private(set) var isQuotedPrintable = false
    /// Whether the value is inline binary, which is never text.
    private(set) var isBase64 = false
    /// Whether the value is text where a date is the rule.
    package private(set) var isText = false
    /// The UID of the contact that an address of one of Evolution's lists belongs to.
    package private(set) var contactUID: Range<Int>?
    /// Apple's mark of a birthday without a year.
    package private(set) var omittedYear: Range<Int>?

    /// Reads the parameters of a line; nil if no colon ends them.
    package init?(_ line: VCard.Line, in arena: [UInt8]) {
        let end = line.rest.upperBound
        var index = line.rest.lowerBound
        value = end..<end
        while index < end {
            if arena[index] == UInt8(ascii: ":") {
                value = index + 1..<end
                return
            }
            // One parameter, from after the `;` to the next `;` or `:` outside quotes (RFC 6350, 3.3).
            let start = index + 1
            var equals: Int?
            var quoted = false
            index = start
            while index < end {
                let byte = arena[index]
                if byte == UInt8(ascii: "\"") { quoted.toggle() }
                if !quoted, byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":") { break }
                if byte == UInt8(ascii: "="), equals == nil { equals = index }
                index += 1
            }
            if let equals {
                read(arena[start..<equals], arena[equals + 1..<index])
            } else {
                // vCard 2.1 writes a bare value where the others write TYPE=value.
                readBare(arena[start..<index])
            }
        }
        return nil
    }

    private mutating func read(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        if name.equalsIgnoringCase("TYPE") {
            for part in value.split(whereSeparator: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }) {
                readType(part)
            }
        } else if name.equalsIgnoringCase("PREF") {
            guard let number = value.unquoted.decimal, number >= 1 else { return }
            preference = min(number, 100)
        } else if name.equalsIgnoringCase("CHARSET") {
            charset = Charset(value.unquoted)
        } else if name.equalsIgnoringCase("ENCODING") {
            readBare(value.unquoted)
        } else if name.equalsIgnoringCase("X-EVOLUTION-DEST-CONTACT-UID") {
            contactUID = value.startIndex..<value.endIndex
        } else if name.equalsIgnoringCase("VALUE") {
            isText = value.unquoted.equalsIgnoringCase("TEXT")
        } else if name.equalsIgnoringCase("X-APPLE-OMIT-YEAR") {
            omittedYear = value.startIndex..<value.endIndex
        }
    }

    private mutating func readBare(_ value: ArraySlice<UInt8>) {
        if value.equalsIgnoringCase("QUOTED-PRINTABLE") {
            isQuotedPrintable = true
        } else if value.equalsIgnoringCase("BASE64") || value.equalsIgnoringCase("B") {
            isBase64 = true
        } else {
            readType(value)
        }
    }

    private mutating func readType(_ value: ArraySlice<UInt8>) {
        if value.equalsIgnoringCase("PREF") {
            preference = preference ?? 1
        } else if value.equalsIgnoringCase("HOME") {
            types.insert(.home)
        } else if value.equalsIgnoringCase("WORK") {
            types.insert(.work)
        } else if value.equalsIgnoringCase("CELL") || value.equalsIgnoringCase("IPHONE") {
            types.insert(.mobile)
        } else if value.equalsIgnoringCase("FAX") {
            types.insert(.fax)
        } else if value.equalsIgnoringCase("PAGER") {
            types.insert(.pager)
        } else if value.equalsIgnoringCase("MAIN") {
            types.insert(.main)
        } else if value.equalsIgnoringCase("OTHER") {
            types.insert(.other)
        }
    }

    /// The label in the words of the platform address books; nil if no type says more.
    package var label: StaticString? {
        if types.contains(.fax) {
            return types.contains(.home) ? "home fax" : types.contains(.work) ? "work fax" : "other fax"
        }
        if types.contains(.mobile) { return "mobile" }
        if types.contains(.pager) { return "pager" }
        if types.contains(.main) { return "main" }
        if types.contains(.home) { return "home" }
        if types.contains(.work) { return "work" }
        return types.contains(.other) ? "other" : nil
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without the double quotes around them.
    package var unquoted: ArraySlice<UInt8> {
        guard count >= 2, first == UInt8(ascii: "\""), last == UInt8(ascii: "\"") else { return self }
        return dropFirst().dropLast()
    }

    /// The bytes as a decimal number of at most nine digits.
    package var decimal: Int? {
        guard !isEmpty, count <= 9 else { return nil }
        var value = 0
        for byte in self {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return value
    }
}
