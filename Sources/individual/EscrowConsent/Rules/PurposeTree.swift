/// The purposes that rules are about: a small part of the tree of the W3C Data Privacy Vocabulary (DPV 2.0), with the
/// purposes of plugin manifests each in their place.
///
/// A node may have two parents, as in DPV. A rule on a node covers its whole branch: a permit on either parent reaches it,
/// and so does a forbid on either.
public struct PurposeTree: Sendable {
    /// One purpose.
    public struct Node: Sendable, Hashable {
        /// The word that rules and manifests use.
        public let code: String
        /// The term of the vocabulary; nil for a purpose that the vocabulary has no word for.
        public let term: String?
        /// The codes above it; empty for the root alone.
        public let broader: [String]
        /// Whether it sets no bound: whoever gets the data can use it for anything. A forbid on any purpose reaches it, a
        /// permit only where it names this code or the root.
        public let isUnbounded: Bool

        init(_ code: String, _ term: String?, _ broader: String..., isUnbounded: Bool = false) {
            self.code = code
            self.term = term
            self.broader = broader
            self.isUnbounded = isUnbounded
        }

        /// The IRI in the vocabulary's namespace, if it has one.
        public var iri: String? { term.map { PurposeTree.namespace + $0 } }
    }

    /// The vocabulary's namespace.
    public static let namespace = "https://w3id.org/dpv#"
    /// The code of the root: every purpose.
    public static let root = "purpose"

    /// All nodes, a parent before its children.
    public static let nodes: [Node] = [
        Node(root, "Purpose"),
        Node("service-provision", "ServiceProvision", root),
        Node("personalisation", "Personalisation", root),
        Node("marketing", "Marketing", root),
        Node("research-and-development", "ResearchAndDevelopment", root),
        Node("enforce-security", "EnforceSecurity", root),
        Node("public-benefit", "PublicBenefit", root),
        Node("commercial-purpose", "CommercialPurpose", root),
        Node("requested-service-provision", "RequestedServiceProvision", "service-provision"),
        Node("technical-service-provision", "TechnicalServiceProvision", "service-provision"),
        Node("service-optimisation", "ServiceOptimisation", "service-provision"),
        Node("optimisation-for-controller", "OptimisationForController", "service-optimisation"),
        Node(
            "improve-products-and-services", "ImproveExistingProductsAndServices",
            "optimisation-for-controller"),
        Node("service-personalisation", "ServicePersonalisation", "service-provision", "personalisation"),
        Node("sell-products", "SellProducts", "service-provision"),
        Node("sell-data-to-third-parties", "SellDataToThirdParties", "sell-products"),
        Node("all-advertising", "Advertising", "marketing"),
        Node("direct-marketing", "DirectMarketing", "marketing"),
        Node("commercial-research", "CommercialResearch", "research-and-development", "commercial-purpose"),
        Node("misuse-prevention", "MisusePreventionAndDetection", "enforce-security"),
        Node("fraud-prevention", "FraudPreventionAndDetection", "misuse-prevention"),

        // The purposes of manifests. Choosing advertisements by a person's data is personalised advertising, whatever it is
        // called.
        Node("advertising", "PersonalisedAdvertising", "all-advertising", "personalisation"),
        Node("search", "SearchFunctionalities", "service-provision"),
        Node("recommendation", "ProvidePersonalisedRecommendations", "service-personalisation"),
        Node("research", "ScientificResearch", "research-and-development"),
        Node("development", nil, "research-and-development"),
        Node("model-training", nil, "improve-products-and-services", "research-and-development"),
        Node("safety", nil, "enforce-security"),
        Node("data-quality", nil, "technical-service-provision"),
        Node("media-preview", nil, "requested-service-provision"),
        Node("personal-summary", nil, "requested-service-provision"),
        Node("wellness", nil, "requested-service-provision"),
        Node("planning", nil, "requested-service-provision"),
        Node("social-matching", nil, "requested-service-provision"),
        // Statistics say how, not what for: no branch but the root covers them.
        Node("aggregate-statistics", nil, root),
        Node("data-copy", nil, root, isUnbounded: true),
    ]

    /// Purposes as bits: whether two sets have one in common is one operation.
    typealias Bits = UInt64

    private static let places = Dictionary(
        uniqueKeysWithValues: nodes.enumerated().map { ($0.element.code, $0.offset) })

    /// A node and all above it, by its place.
    private static let upward: [Bits] = {
        var upward: [Bits] = []
        for (place, node) in nodes.enumerated() {
            upward.append(node.broader.reduce(1 << place) { $0 | (places[$1].map { upward[$0] } ?? 0) })
        }
        return upward
    }()

    /// The node of a code; nil where there is none.
    public static func node(_ code: String) -> Node? { places[code].map { nodes[$0] } }

    /// The code that a rule means by a code, an IRI of the vocabulary, or `dpv:Term`; nil where there is none.
    public static func code(_ text: String) -> String? {
        if places[text] != nil { return text }
        for prefix in [namespace, "dpv:"] where text.hasPrefix(prefix) {
            let term = text.dropFirst(prefix.count)
            return nodes.first { $0.term.map { $0 == term } ?? false }?.code
        }
        return nil
    }

    /// Whether a code lies in the branch of another.
    public static func isWithin(_ code: String, branch: String) -> Bool {
        guard let place = places[code], let top = places[branch] else { return false }
        return upward[place] & (1 << top) != 0
    }

    /// The codes as bits.
    static func bits(_ codes: some Sequence<String>) -> Bits {
        codes.reduce(0) { $0 | (places[$1].map { 1 << $0 } ?? 0) }
    }

    /// Every node whose branch a purpose lies in: for a permit, and for a forbid, which an unbounded purpose never escapes.
    /// Nil for a code that there is not.
    static func reach(_ code: String) -> (permit: Bits, forbid: Bits)? {
        guard let place = places[code] else { return nil }
        return (upward[place], nodes[place].isUnbounded ? .max : upward[place])
    }
}
