internal import EscrowFormats
internal import EscrowTableKit

/// `Record` elements as rows of `HealthSamples`.
///
/// Records within a `Correlation` also stand on their own in the file, so only those right below the root count.
final class AppleSamples: AppleElements {
    private typealias Column = HealthSpec.Sample

    var row: RowBuilder?
    private let file: KeptFilesTable.File
    private var names = AppleNames()
    private var number = 0
    private var isRecord = false

    init(_ file: KeptFilesTable.File) { self.file = file }

    func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes, in stream: XMLStream) {
        switch stream.depth {
        case 1:
            if !XMLText.equal(name, "HealthData") { stream.refuse("the root element is not HealthData") }
        case 2:
            isRecord = false
            guard XMLText.equal(name, "Record"), let row else { return }
            row.place = stream.offset
            isRecord = set(attributes, row)
        default: break
        }
    }

    func characters(_ bytes: UnsafeRawBufferPointer) {}

    func end(_ name: UnsafePointer<CChar>, in stream: XMLStream) {
        guard stream.depth == 2, isRecord, let row else { return }
        isRecord = false
        // A row that a term rules out need not leave the parser.
        if row.isRuledOut { row.restart() } else { stream.pause() }
    }

    /// Sets what the attributes of a record say; false if it is none.
    private func set(_ attributes: XMLAttributes, _ row: RowBuilder) -> Bool {
        var type: UnsafePointer<CChar>?
        var unit: UnsafePointer<CChar>?
        var value: UnsafePointer<CChar>?
        var source: UnsafePointer<CChar>?
        var start: UnsafePointer<CChar>?
        var end: UnsafePointer<CChar>?
        var creation: UnsafePointer<CChar>?
        var index = 0
        while let key = attributes[index], let text = attributes[index + 1] {
            index += 2
            if XMLText.equal(key, "type") {
                type = text
            } else if XMLText.equal(key, "value") {
                value = text
            } else if XMLText.equal(key, "unit") {
                unit = text
            } else if XMLText.equal(key, "startDate") {
                start = text
            } else if XMLText.equal(key, "endDate") {
                end = text
            } else if XMLText.equal(key, "sourceName") {
                source = text
            } else if XMLText.equal(key, "creationDate") {
                creation = text
            }
        }
        // What terms are mostly on comes first: once one rules the row out, the rest is spared.
        guard let type, type.pointee != 0 else { return false }
        number += 1
        let kind = names.short(type)
        row.set(Column.kind.rawValue, kind[...])
        if row.wants(Column.startDate.rawValue) { row.set(Column.startDate.rawValue, AppleTime.read(start)) }
        if row.wants(Column.endDate.rawValue) { row.set(Column.endDate.rawValue, AppleTime.read(end)) }
        if row.wants(Column.value.rawValue) || row.wants(Column.category.rawValue) {
            let text = AppleAttributes.text(value)
            if let number = text.flatMap({ XMLText.number($0) }) {
                row.set(Column.value.rawValue, number)
            } else if let text {
                row.set(Column.category.rawValue, AppleNames.category(text, of: kind)[...])
            }
        }
        if row.wants(Column.unit.rawValue) { row.set(Column.unit.rawValue, AppleAttributes.text(unit)) }
        if row.wants(Column.sourceName.rawValue) {
            row.set(Column.sourceName.rawValue, AppleAttributes.text(source))
        }
        if row.wants(Column.creationDate.rawValue) {
            row.set(Column.creationDate.rawValue, AppleTime.read(creation))
        }
        row.set(Column.filename.rawValue, file.name)
        if row.wants(Column.id.rawValue) {
            row.set(Column.id.rawValue, StableID.name(file.path, part: number))
        }
        return true
    }
}
