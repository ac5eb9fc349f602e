/// Which contacts have a well-formed number, and how many numbers are.
public struct PhoneTally {
    /// Numbers seen so far, and those of them that are well formed.
    public private(set) var numbers = 0
    public private(set) var valid = 0
    // A contact with several numbers comes in several rows, not always one after the other.
    private var contacts: [String: Bool] = [:]

    /// Nobody yet.
    public init() {}

    /// Takes in a contact without a number.
    public mutating func add(contact: String) {
        contacts[contact, default: false] = contacts[contact] ?? false
    }

    /// Takes in a contact's number, in UTF-8.
    public mutating func add(contact: String, number: UnsafeRawBufferPointer) {
        let isValid = USPhoneNumber.isValid(number)
        numbers += 1
        if isValid { valid += 1 }
        contacts[contact, default: false] = contacts[contact, default: false] || isValid
    }

    /// How many contacts there are.
    public var contactCount: Int { contacts.count }

    /// The contacts with a well-formed number, or those without, in order.
    public func ids(valid isValid: Bool) -> [String] {
        contacts.filter { $0.value == isValid }.map(\.key).sorted()
    }
}
