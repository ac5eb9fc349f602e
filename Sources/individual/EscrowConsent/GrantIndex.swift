/// Decisions, found by the dataflow that they are about without looking at all others.
public struct GrantIndex: Sendable {
    /// All, oldest first.
    public let grants: [Grant]
    private let places: [Key: [Int]]

    private struct Key: Hashable {
        let app: String
        let plugin: String
        let target: String
    }

    /// Takes decisions in the order of their file.
    public init(_ grants: [Grant]) {
        self.grants = grants
        var places: [Key: [Int]] = [:]
        for (place, grant) in grants.enumerated() {
            places[Key(app: grant.app, plugin: grant.plugin.id, target: grant.target), default: []].append(
                place)
        }
        self.places = places
    }

    /// Those about the same app, plugin and target.
    func concerned(_ dataflow: Dataflow) -> [Grant] {
        let key = Key(app: dataflow.app, plugin: dataflow.plugin.id, target: dataflow.target)
        return (places[key] ?? []).map { grants[$0] }
    }
}
