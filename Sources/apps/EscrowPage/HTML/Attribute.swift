/// An attribute out of a closed list: none holds a script or a style, and an address is one of this page.
struct Attribute {
    let source: String

    private init(_ name: StaticString, _ value: String? = nil) {
        source = value.map { " \(name)=\"\(HTML.escaped($0))\"" } ?? " \(name)"
    }

    static func marks(_ names: String...) -> Attribute { Attribute("class", names.joined(separator: " ")) }
    static func id(_ value: String) -> Attribute { Attribute("id", value) }
    static func href(_ address: Address) -> Attribute { Attribute("href", address.spelling) }
    static func source(_ address: Address) -> Attribute { Attribute("src", address.spelling) }
    static func action(_ address: Address) -> Attribute { Attribute("action", address.spelling) }
    static func target(of id: String) -> Attribute { Attribute("href", "#" + id) }
    static func name(_ value: String) -> Attribute { Attribute("name", value) }
    static func value(_ value: String) -> Attribute { Attribute("value", value) }
    static func type(_ value: StaticString) -> Attribute { Attribute("type", "\(value)") }
    static func label(_ value: String) -> Attribute { Attribute("aria-label", value) }
    static func labelled(by id: String) -> Attribute { Attribute("aria-labelledby", id) }
    static func belongs(to id: String) -> Attribute { Attribute("for", id) }
    static func alternative(_ value: String) -> Attribute { Attribute("alt", value) }
    static func role(_ value: StaticString) -> Attribute { Attribute("role", "\(value)") }
    static func content(_ value: String) -> Attribute { Attribute("content", value) }
    static func number(_ name: Measure, _ value: Double) -> Attribute {
        let rounded = (value * 10).rounded() / 10
        return switch name {
        case .x: Attribute("x", "\(rounded)")
        case .y: Attribute("y", "\(rounded)")
        case .width: Attribute("width", "\(rounded)")
        case .height: Attribute("height", "\(rounded)")
        case .strokeWidth: Attribute("stroke-width", "\(rounded)")
        case .radius: Attribute("rx", "\(rounded)")
        }
    }
    static func path(_ points: [(x: Double, y: Double)]) -> Attribute {
        precondition(points.count == 4, "a curve has four points")
        let words = points.map { "\(($0.x * 10).rounded() / 10) \(($0.y * 10).rounded() / 10)" }
        return Attribute("d", "M \(words[0]) C \(words[1]), \(words[2]), \(words[3])")
    }
    static func viewBox(_ width: Int, _ height: Int) -> Attribute {
        Attribute("viewBox", "0 0 \(width) \(height)")
    }
    static func rows(_ count: Int) -> Attribute { Attribute("rows", "\(count)") }

    static let charset = Attribute("charset", "utf-8")
    static let post = Attribute("method", "post")
    static let hidden = Attribute("type", "hidden")
    static let checked = Attribute("checked")
    /// Not fetched before it is nearly seen.
    static let lazy = Attribute("loading", "lazy")
    static let required = Attribute("required")
    static let current = Attribute("aria-current", "page")
    static let polite = Attribute("aria-live", "polite")
    static let stylesheet = Attribute("rel", "stylesheet")
    static let icon = Attribute("rel", "icon")
    static let deferred = Attribute("defer")
    static let noCompletion = Attribute("autocomplete", "off")
    static let noSpelling = Attribute("spellcheck", "false")
    static let focusable = Attribute("tabindex", "0")
    static let columnScope = Attribute("scope", "col")
    static let rowScope = Attribute("scope", "row")

    enum Measure {
        case x, y, width, height, strokeWidth, radius
    }
}
