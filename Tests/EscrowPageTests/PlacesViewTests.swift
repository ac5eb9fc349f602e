import EscrowLocation
import EscrowLocationPrivacy
import Foundation
import Testing

@testable import EscrowPage

/// What is told of places is on the page: live, drawn, ruled and spent.
@Suite struct PlacesViewTests {
    static func at(_ latitude: Double, _ longitude: Double) throws -> Coordinates {
        try #require(Coordinates(latitude: latitude, longitude: longitude))
    }

    static func view(
        follows: [LiveFollow] = [], map: PlaceMap? = nil, rules: [LocationRule] = [],
        spent: [PlacesView.Spent] = []
    ) -> PlacesView {
        PlacesView(
            follows: follows, permissions: [("org.example.map", .always)], rules: rules, spent: spent,
            findings: [], map: map, now: 1_000)
    }

    @Test func whoIsToldLiveIsOnEveryPageAndForADayAfter() {
        let follow = LiveFollow(
            app: "org.example.<map>", plugin: "weather", provider: "gpsd", mode: .standard,
            desired: .street, began: 400)
        let html = Self.view(follows: [follow]).html("proof").source
        #expect(html.contains("10 minutes ago") && html.contains("org.example.&lt;map&gt;"))
        #expect(PlacesView.indicator([]) == nil)
        #expect(
            PlacesView.indicator([follow]) == "org.example.<map> was told live where you are within 24 hours")
        let frame = Frame(
            .now, proof: "p", waiting: 0, underWay: 0, live: PlacesView.indicator([follow]))
        let page = String(decoding: frame.page(""), as: UTF8.self)
        #expect(page.contains("was told live where you are") && page.contains("href=\"/places\""))
        #expect(!page.contains("<map>"))
        let still = String(
            decoding: Frame(.now, proof: "p", waiting: 0, underWay: 0).page(""), as: UTF8.self)
        #expect(!still.contains("id=\"live\""))
    }

    @Test func aDecisionAboutLiveIsChangedByAFormWithItsProof() {
        let html = Self.view().html("proof-1").source
        #expect(html.contains("action=\"/places/live\"") && html.contains("value=\"proof-1\""))
        // What stands already is no choice.
        #expect(html.contains("value=\"never\"") && html.contains("value=\"while-using\""))
        #expect(!html.contains("value=\"always\""))
    }

    @Test func rulesAndBudgetsAreInWords() throws {
        let near = try #require(LocationRule.Circle(try Self.at(60.39, 5.32), metres: 500))
        let rule = LocationRule(
            id: "7", service: .nearby, hours: LocationRule.Hours(from: 1_320, until: 360), near: near,
            exactness: .country)
        let html = Self.view(
            rules: [rule], spent: [("org.example.map", "planar-laplace(0.001)", 0.0015, 0.01)]
        ).html("p").source
        #expect(html.contains("the largest town of the country") && html.contains("22:00 to 06:00"))
        #expect(html.contains("0.0015") && html.contains("planar-laplace(0.001)"))
        // A sensitive place stands in the rules' file, and need not stand on a screen.
        #expect(!html.contains("60.39"))
    }

    @Test func theMapHasRealToldAndHowFarAGuessIs() throws {
        let home = try Self.at(60.39, 5.32)
        let told = Ellipsoid.point(from: home, bearing: 90, metres: 800)
        let far = Ellipsoid.point(from: home, bearing: 90, metres: 300_000)
        let map = PlaceMap(
            real: [home, home], told: [(told, false), (far, true)], guesses: [(told, 800)])
        let html = try #require(map.html).source
        func count(_ mark: String) -> Int { html.components(separatedBy: "spot \(mark)").count - 1 }
        #expect(count("real") == 1 && count("told") == 1 && count("dummy") == 0 && count("guess") == 1)
        #expect(html.contains("1 told from farther away"))
        #expect(PlaceMap(real: [], told: [], guesses: []).html == nil)
    }
}
