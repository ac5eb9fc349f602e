import EscrowPlugin
import PhoneNumbers

/// Counts well-formed US telephone numbers, and says which contacts have one. No number leaves.
@main struct PhoneCheck: ComputePlugin {
    func compute(_ run: borrowing Run) throws -> Result {
        var numbers = 0
        var valid = 0
        // A contact with several numbers comes in several rows, not always one after the other.
        var contacts: [String: Bool] = [:]
        for row in run.rows {
            let contact = try row.text("contact")
            guard try !row.isNull("phoneNumber") else {
                contacts[contact, default: false] = contacts[contact, default: false]
                continue
            }
            let isValid = try row.withUTF8("phoneNumber") { USPhoneNumber.isValid($0) }
            numbers += 1
            if isValid { valid += 1 }
            contacts[contact, default: false] = contacts[contact, default: false] || isValid
        }
        func ids(_ isValid: Bool) -> Value {
            .list(contacts.filter { $0.value == isValid }.map(\.key).sorted().map(Value.text))
        }
        return [
            "contacts": .integer(contacts.count), "numbers": .integer(numbers), "valid": .integer(valid),
            "invalid": .integer(numbers - valid), "validContacts": ids(true), "invalidContacts": ids(false),
        ]
    }
}
