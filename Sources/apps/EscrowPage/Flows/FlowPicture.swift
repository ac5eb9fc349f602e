import EscrowConsent

/// The flows as a picture: data on the left, plugins in the middle, apps and servers on the right. A band is the wider the more
/// bytes went that way.
struct FlowPicture {
    private struct Band {
        let from: String
        let to: String
        var bytes: Int64
        let leaves: Bool
    }

    private struct Node {
        var top: Double
        var height: Double
        var used: Double = 0
    }

    private static let width = 720.0
    private static let columns = (data: 4.0, plugins: 279.0, targets: 554.0)
    private static let boxWidth = 162.0
    private static let gap = 18.0
    /// The most nodes of a column; the list below the picture has all.
    private static let most = 14

    private var inward: [Band] = []
    private var outward: [Band] = []

    init(_ flows: [FlowBook.Flow]) {
        for flow in flows {
            let tables = flow.tables.isEmpty ? ["no table"] : flow.tables
            for table in tables {
                Self.add(&inward, table, flow.plugin, flow.readBytes / Int64(tables.count), leaves: false)
            }
            Self.add(&outward, flow.plugin, "app " + flow.app, flow.resultBytes, leaves: false)
            for (host, bytes) in flow.sent.sorted(by: { $0.key < $1.key }) {
                Self.add(&outward, flow.plugin, "server " + host, bytes, leaves: true)
            }
        }
        let plugins = Self.largest(inward.map { ($0.to, $0.bytes) } + outward.map { ($0.from, $0.bytes) })
        let data = Self.largest(inward.map { ($0.from, $0.bytes) })
        let targets = Self.largest(outward.map { ($0.to, $0.bytes) })
        inward.removeAll { !plugins.contains($0.to) || !data.contains($0.from) }
        outward.removeAll { !plugins.contains($0.from) || !targets.contains($0.to) }
    }

    private static func add(
        _ bands: inout [Band], _ from: String, _ to: String, _ bytes: Int64, leaves: Bool
    ) {
        if let index = bands.firstIndex(where: { $0.from == from && $0.to == to }) {
            bands[index].bytes += bytes
        } else {
            bands.append(Band(from: from, to: to, bytes: bytes, leaves: leaves))
        }
    }

    private static func largest(_ parts: [(String, Int64)]) -> Set<String> {
        var sums: [String: Int64] = [:]
        for (name, bytes) in parts { sums[name, default: 0] += bytes }
        return Set(sums.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(most).map(\.key))
    }

    /// How wide a band is: each doubling of the bytes adds the same, so that both a number and a film can be seen.
    static func width(of bytes: Int64) -> Double {
        guard bytes > 0 else { return 1 }
        return 1 + Double(64 - bytes.leadingZeroBitCount)
    }

    /// The picture; nil where nothing flowed.
    var html: HTML? {
        guard !inward.isEmpty || !outward.isEmpty else { return nil }
        var data = Self.nodes(inward.map { ($0.from, $0.bytes) }, [])
        var plugins = Self.nodes(inward.map { ($0.to, $0.bytes) }, outward.map { ($0.from, $0.bytes) })
        var targets = Self.nodes(outward.map { ($0.to, $0.bytes) }, [])
        let height =
            (Array(data.values) + Array(plugins.values) + Array(targets.values))
            .map { $0.top + $0.height }.max() ?? 0
        var pieces: [HTML] = []
        var entered = plugins
        for band in inward.sorted(by: { ($0.from, $0.to) < ($1.from, $1.to) }) {
            pieces.append(
                Self.curve(band, &data, Self.columns.data + Self.boxWidth, &entered, Self.columns.plugins))
        }
        for band in outward.sorted(by: { ($0.from, $0.to) < ($1.from, $1.to) }) {
            pieces.append(
                Self.curve(
                    band, &plugins, Self.columns.plugins + Self.boxWidth, &targets, Self.columns.targets))
        }
        pieces += Self.boxes(data, Self.columns.data, "data")
        pieces += Self.boxes(plugins, Self.columns.plugins, "plugin")
        pieces += Self.boxes(targets, Self.columns.targets, "target")
        let words =
            "\(data.count) kinds of data go to \(plugins.count) plugins, and from there to \(targets.count) apps and servers. "
            + "The list below has the same in words."
        return element(
            .div, [.marks("picture"), .focusable, .role("region"), .label("Picture of the flows")],
            element(
                .svg,
                [.viewBox(Int(Self.width), Int(height) + 12), .role("img"), .labelled(by: "flows-title")],
                all: [element(.title, [.id("flows-title")], HTML(words))] + pieces))
    }

    private static func nodes(_ first: [(String, Int64)], _ second: [(String, Int64)]) -> [String: Node] {
        func sums(_ parts: [(String, Int64)]) -> [String: Double] {
            var sums: [String: Double] = [:]
            for (name, bytes) in parts { sums[name, default: 0] += width(of: bytes) }
            return sums
        }
        let (left, right) = (sums(first), sums(second))
        var nodes: [String: Node] = [:]
        var top = 8.0
        for name in Set(left.keys).union(right.keys).sorted() {
            let height = max(26, left[name] ?? 0, right[name] ?? 0)
            nodes[name] = Node(top: top, height: height)
            top += height + gap
        }
        return nodes
    }

    private static func curve(
        _ band: Band, _ from: inout [String: Node], _ left: Double, _ to: inout [String: Node],
        _ right: Double
    ) -> HTML {
        let width = width(of: band.bytes)
        func take(_ nodes: inout [String: Node], _ name: String) -> Double {
            guard var node = nodes[name] else { return 0 }
            let y = node.top + min(node.used + width / 2, node.height - width / 2)
            node.used += width
            nodes[name] = node
            return y
        }
        let (start, end) = (take(&from, band.from), take(&to, band.to))
        let middle = (left + right) / 2
        return element(
            .path,
            [
                .marks("band", band.leaves ? "leaves" : "stays"), .number(.strokeWidth, width),
                .path([(left, start), (middle, start), (middle, end), (right, end)]),
            ],
            element(
                .title, [],
                "\(Words.short(band.from)) to \(Words.short(band.to)): \(Words.bytes(band.bytes))"))
    }

    private static func boxes(_ nodes: [String: Node], _ left: Double, _ mark: String) -> [HTML] {
        nodes.sorted { $0.key < $1.key }.map { name, node in
            element(
                .g, [.marks("node", name.hasPrefix("server ") ? "server" : mark)],
                element(
                    .rect,
                    [
                        .number(.x, left), .number(.y, node.top), .number(.width, boxWidth),
                        .number(.height, node.height), .number(.radius, 5),
                    ]),
                element(
                    .text, [.number(.x, left + 8), .number(.y, node.top + node.height / 2 + 4)],
                    HTML(label(name))),
                element(.title, [], HTML(PlainText.neutral(name))))
        }
    }

    /// As much of a name as the box has room for: the last part says most.
    private static func label(_ name: String) -> String {
        let kind = name.hasPrefix("server ") ? "↗ " : ""
        var text = PlainText.neutral(String(name.drop { $0 != " " }.dropFirst()))
        if !name.contains(" ") { text = PlainText.neutral(name) }
        if text.count + kind.count > 21, text.contains("."), !name.hasPrefix("server ") {
            text = String(text.split(separator: ".").last ?? "")
        }
        return kind + (text.count > 21 ? String(text.prefix(20)) + "…" : text)
    }
}
