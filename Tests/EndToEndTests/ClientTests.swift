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
        let escrow = try Escrow.withPhoneCheck(for: "org.example.notes")
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
        let escrow = try Escrow.withPhoneCheck(for: "org.example.notes")
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
        let escrow = try Escrow.withPhoneCheck(for: "org.example.notes")
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

    /// The location privacy framework's `create` and `send`: the app names the server, the kind of service and the accuracy, and
    /// gets what the plugin made of the true answer.
    @Test func aPlaceIsAskedAboutWithoutTheAppKnowingIt() async throws {
        struct Weather: Decodable, Sendable { let condition: String }
        let escrow = try EgressTests().escrow("weather")
        let server = try StandIn(for: escrow)
        let app = try await EscrowClient.Escrow.connect(
            app: "org.example.test", home: escrow.home.path, program: Escrow.program.path)
        let weather: Weather = try await LocationPrivacyRequest.create(
            server: "api.openweathermap.org", type: .weather, accuracy: .city, through: "weather"
        ).send(by: app)
        #expect(weather.condition == "Rain")
        #expect(try server.received().count == 1)
        // The same by server and type alone: there is one plugin for it.
        let again: Weather = try await LocationPrivacyRequest.create(
            server: "api.openweathermap.org", type: .weather
        ).send(by: app)
        #expect(again.condition == "Rain")
        #expect(try server.received().count == 2)
        let nobody = await #expect(throws: EscrowError.self) {
            let _: Weather = try await LocationPrivacyRequest.create(
                server: "api.example.org", type: .weather
            ).send(by: app)
        }
        #expect(nobody?.code == "E0617" && nobody?.status == 17)
        for (name, type, accuracy) in [
            (
                "api.example.org", LocationPrivacyRequest.ServiceType.weather,
                LocationPrivacyRequest.Accuracy.city
            ),
            ("api.openweathermap.org", .news, .city), ("api.openweathermap.org", .weather, .country),
        ] {
            let error = await #expect(throws: EscrowError.self) {
                let _: Weather = try await LocationPrivacyRequest.create(
                    server: name, type: type, accuracy: accuracy, through: "weather"
                ).send(by: app)
            }
            #expect(error?.code == "E0617" && error?.status == 17)
        }
        #expect(try server.received().count == 2)
        await app.close()
    }
}
