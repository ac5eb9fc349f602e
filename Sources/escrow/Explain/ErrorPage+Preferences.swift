/// The pages of `escrow explain` for the codes E11xx.
extension ErrorPage {
    static let preferencesPages = #"""
        ## E1101 the preferences are not understood
        `preferences.json` of the escrow home, or a rule that you gave, is not what may stand there: the message names line and
        column. Nothing runs until it can be read, since what cannot be read may be a rule that forbids.
        Example: `"effect": "allow"` instead of `"permit"`.
        `docs/spec/preferences.md` lists every member; editors complete them from `Manifests/preferences.schema.json`.
        """#
}
