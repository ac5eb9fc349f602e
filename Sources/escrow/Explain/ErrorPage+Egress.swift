/// The pages of `escrow explain` for the codes E06xx.
extension ErrorPage {
    static let egressPages = #"""
        ## E0601 requests to the network are not sent
        The plugin's manifest lists endpoints under `egress`. This version of the host sends no requests for plugins, so it does
        not run the plugin at all rather than run half of it.
        """#
}
