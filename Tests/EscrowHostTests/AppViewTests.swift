import EscrowConsent
import EscrowJSON
import EscrowLocation
import EscrowLocationPrivacy
import TemporaryFolder
import Testing

@testable import EscrowHome
@testable import EscrowHost

/// What an app is told that a run would be, by the service and by the protocol for agents.
@Suite struct AppViewTests {
    /// Whoever names an app sees it, undecided as it is: the individual's rules and the names of their lists are not in it.
    @Test func theIndividualsRulesAreOnTheirSheetAlone() throws {
        let scratch = try TemporaryFolder("escrow-view")
        let home = try Home.create(at: scratch.path + "/home")
        try KeptPlugin.keep("nearby-articles", "main.py", in: home)
        let host = try EscrowHost.Host(home: home)
        let runner = Runner(host: host)
        let request = RunRequest(app: "org.example.stranger", plugin: "nearby-articles")
        func told() throws -> [JSONValue] {
            let plan = try runner.plan(request)
            return [plan.appView, plan.shownToApp]
        }
        let before = try told()
        #expect(before.allSatisfy { $0["sends"]?.array?.count == 1 })

        let place = try #require(Coordinates(latitude: 60.39, longitude: 5.32))
        let list = try #require(PlaceList([place], apart: 1_000))
        _ = try host.location.keep(list, as: "oncology-clinics")
        let telling = try #require(Telling("snap(oncology-clinics)"))
        _ = try host.location.add(LocationRule(id: "", exactness: telling))
        #expect(try runner.plan(request).description.egress.contains { $0.contains("oncology-clinics") })
        #expect(try told() == before)
    }
}
