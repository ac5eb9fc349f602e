import EscrowClient

struct PhoneReport: Decodable, Sendable {
    let valid: Int
    let invalid: Int
}

let escrow = try await Escrow.connect(app: "org.example.notes")
do {
    let report: PhoneReport = try await escrow.run(
        "SELECT contactID AS contact, phoneNumber FROM ContactPhoneNumbers", compute: "phone-check",
        says: "So that you can mend numbers that nobody can call.", wait: 60)
    print(report)
} catch let error as EscrowError where error.kind == .notDetermined {
    print("nobody decided yet: look at escrow pending, or the page")
}
