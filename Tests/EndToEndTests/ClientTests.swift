import EscrowClient
import EscrowJSON
import Foundation
import Testing

/// An app in Swift: it gets results through a host process and never sees the home.
@Suite struct ClientTests {
    struct PhoneReport: Decodable, Sendable {
        let contacts: Int
        let valid: Int
        let invalid: Int
        let validContacts: [String]
    }

    @Test func anAppGetsItsResultAndNothingElse() async throws {
        let escrow = try Escrow()
        #expect(try escrow.run("source", "add", "contacts", "samples/contacts.vcf").status == 0)
        try escrow.allow("phone-check", app: "org.example.notes")
        let app = try await EscrowClient.Escrow.connect(
            app: "org.example.notes", home: escrow.home.path, program: Escrow.program.path)
        let report: PhoneReport = try await app.run(compute: "phone-check")
        #expect(report.contacts > 0)
        #expect(report.validContacts.count <= report.contacts)
        let some: PhoneReport = try await app.run(
            "SELECT contactID AS contact, phoneNumber FROM ContactPhoneNumbers WHERE phoneNumber LIKE :prefix",
            compute: "phone-check", bindings: ["prefix": "+1%"])
        #expect(some.contacts < report.contacts)
        await app.close()
    }

    @Test func anAppThatNobodyDecidedAboutIsToldSoInFixedWords() async throws {
        let escrow = try Escrow()
        #expect(try escrow.run("source", "add", "contacts", "samples/contacts.vcf").status == 0)
        try escrow.allow("phone-check", app: "org.example.notes")
        let app = try await EscrowClient.Escrow.connect(
            app: "org.example.stranger", home: escrow.home.path, program: Escrow.program.path)
        do {
            let _: PhoneReport = try await app.run(compute: "phone-check")
            Issue.record("a run without a decision returned a result")
        } catch let error as EscrowError {
            #expect(error.code == "E0702")
            #expect(error.status == 11)
            #expect(error.message == "the individual has not decided about this dataflow")
        }
        #expect(try await app.status(compute: "phone-check") == .notDetermined)
        await app.close()
    }

    @Test func aQueryBeyondTheDeclarationIsRefused() async throws {
        let escrow = try Escrow()
        #expect(try escrow.run("source", "add", "contacts", "samples/contacts.vcf").status == 0)
        try escrow.allow("phone-check", app: "org.example.notes")
        let app = try await EscrowClient.Escrow.connect(
            app: "org.example.notes", home: escrow.home.path, program: Escrow.program.path)
        do {
            let _: PhoneReport = try await app.run(
                "SELECT id AS contact, note AS phoneNumber FROM Contacts", compute: "phone-check")
            Issue.record("columns that the plugin does not declare were read")
        } catch let error as EscrowError {
            #expect(error.status == 13)
        }
        await app.close()
    }
}
