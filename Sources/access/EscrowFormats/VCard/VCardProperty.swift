/// The properties of a vCard that become columns.
@usableFromInline package enum VCardProperty: UInt8, Sendable {
    case version, kind, uid, name, fullName, nickname, organization, title, birthday, phone, email, address,
        url
    case note, revision, photo, label, showAs, categories, member
    case begin, end, agent
    /// Any other property; its content is passed over without being kept.
    case other

    /// Readers of cards in another module compare each line's property. There Swift's own comparison would be a call.
    @inlinable package static func == (left: Self, right: Self) -> Bool {
        unsafeBitCast(left, to: UInt8.self) == unsafeBitCast(right, to: UInt8.self)
    }

    /// Recognises a property name (without its group), in any case (RFC 6350, 3.3).
    package init(_ name: ArraySlice<UInt8>) {
        guard name.count <= 8 else {
            self = Self.long(name)
            return
        }
        var packed: UInt64 = 0
        for byte in name { packed = packed << 8 | UInt64(byte >= 0x61 && byte <= 0x7A ? byte - 0x20 : byte) }
        self =
            switch packed {
            case Self.pack("N"): .name
            case Self.pack("FN"): .fullName
            case Self.pack("TEL"): .phone
            case Self.pack("EMAIL"): .email
            case Self.pack("ADR"): .address
            case Self.pack("ORG"): .organization
            case Self.pack("TITLE"): .title
            case Self.pack("UID"): .uid
            case Self.pack("URL"): .url
            case Self.pack("BDAY"): .birthday
            case Self.pack("NOTE"): .note
            case Self.pack("REV"): .revision
            case Self.pack("NICKNAME"): .nickname
            case Self.pack("PHOTO"): .photo
            case Self.pack("KIND"): .kind
            case Self.pack("VERSION"): .version
            case Self.pack("BEGIN"): .begin
            case Self.pack("END"): .end
            case Self.pack("AGENT"): .agent
            case Self.pack("MEMBER"): .member
            default: .other
            }
    }

    private static func long(_ name: ArraySlice<UInt8>) -> VCardProperty {
        if name.equalsIgnoringCase("X-ABLABEL") { return .label }
        if name.equalsIgnoringCase("X-ABSHOWAS") { return .showAs }
        if name.equalsIgnoringCase("CATEGORIES") { return .categories }
        if name.equalsIgnoringCase("X-ADDRESSBOOKSERVER-KIND") { return .kind }
        if name.equalsIgnoringCase("X-ADDRESSBOOKSERVER-MEMBER") { return .member }
        return .other
    }

    @inline(__always)
    private static func pack(_ name: StaticString) -> UInt64 {
        var packed: UInt64 = 0
        for index in 0..<name.utf8CodeUnitCount { packed = packed << 8 | UInt64(name.utf8Start[index]) }
        return packed
    }
}

/// A set of properties.
package struct VCardPropertySet: Sendable {
    private var bits: UInt32 = 0
    package init(_ properties: [VCardProperty] = []) { for property in properties { insert(property) } }
    package func contains(_ property: VCardProperty) -> Bool { bits & (1 << UInt32(property.rawValue)) != 0 }
    package mutating func insert(_ property: VCardProperty) { bits |= 1 << UInt32(property.rawValue) }
    package mutating func formUnion(_ other: VCardPropertySet) { bits |= other.bits }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes are this ASCII text, letters compared without case. `text` is in upper case.
    package func equalsIgnoringCase(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        var index = 0
        for byte in self {
            let upper = byte >= 0x61 && byte <= 0x7A ? byte - 0x20 : byte
            if upper != text.utf8Start[index] { return false }
            index += 1
        }
        return true
    }

    /// The bytes without spaces, tabs and line breaks at either end.
    package var trimmed: ArraySlice<UInt8> {
        var slice = self
        while let first = slice.first, first == 0x20 || (first >= 0x09 && first <= 0x0D) {
            slice.removeFirst()
        }
        while let last = slice.last, last == 0x20 || (last >= 0x09 && last <= 0x0D) { slice.removeLast() }
        return slice
    }
}
