import CSQLite
import EscrowDiagnostics
import EscrowSchema
import EscrowTabular

@testable import EscrowRelational

/// One statement carried out by one engine, its rows as SQLite yields them: values of any class, not checked against
/// types as an access does.
struct Trial {
    /// All rows; nil if the statement ends in an error.
    let rows: [[Cell]]?
    /// What the engine itself gave up for; nil for SQLite's own errors.
    let failure: Diagnostic?
    /// The statement over virtual tables, which knows what is used.
    let planned: Connection

    /// Carries a statement out. Throws where it is refused.
    init(
        _ sql: String, _ parameters: [String: Cell], engine: Engine, pushdown: Pushdown = .all,
        budget: AccessBudget = AccessBudget(), granted: [String: Set<String>]? = nil,
        tables: [any TableSource], materials: MaterialCache? = nil
    ) throws {
        let rules = try StatementRules(sql)
        let governor = Governor(budget)
        let assets = AssetTable()
        let session = Session(
            rules: rules, governor: governor, pushdown: engine == .pushdown ? pushdown : [], assets: assets)
        session.add(tables, granted: granted)
        planned = try Connection(sql, session: session)
        var connection = planned
        if engine == .materialized {
            let own = Session(rules: rules, governor: governor, pushdown: [], assets: assets)
            own.add(tables, granted: granted)
            let image = try Materializer(session: session).image(materials).image
            connection = try Connection(sql, session: own, native: .image(image))
        }
        try Parameters(parameters).bind(to: connection.statement)
        rows = step(connection.statement)
        failure = connection.session.failure
        // An error may leave the statement between two rows, and tables must not go before it does.
        sqlite3_reset(connection.statement)
    }
}
