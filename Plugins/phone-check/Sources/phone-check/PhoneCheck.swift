import EscrowPlugin
import PhoneNumbers

/// Counts well-formed US telephone numbers, and says which contacts have one. No number leaves.
@main struct PhoneCheck: ComputePlugin {
    func compute(_ run: borrowing Run) throws -> Result {
        var tally = PhoneTally()
        for row in run.rows {
            let contact = try row.text("contact")
            guard try !row.isNull("phoneNumber") else {
                tally.add(contact: contact)
                continue
            }
            try row.withUTF8("phoneNumber") { tally.add(contact: contact, number: $0) }
        }
        func ids(_ isValid: Bool) -> Value { .list(tally.ids(valid: isValid).map(Value.text)) }
        return [
            "contacts": .integer(tally.contactCount), "numbers": .integer(tally.numbers),
            "valid": .integer(tally.valid), "invalid": .integer(tally.numbers - tally.valid),
            "validContacts": ids(true), "invalidContacts": ids(false),
        ]
    }
}
