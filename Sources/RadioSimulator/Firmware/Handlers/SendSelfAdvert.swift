internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// SEND_SELF_ADVERT (companion-protocol §3.15): to neighbours, or with byte 1 = 1 by flood.
    static let sendSelfAdvert = CommandHandler(.sendSelfAdvert) { companion in
        let command = companion.command
        guard let advert = companion.node.makeAdvert(appData: companion.advertAppData()) else {
            companion.error(.tableFull)
            return true
        }
        let scope = companion.quirks.advertsIgnoreSessionScope ? companion.preferences.scope : companion.floodScope
        if command.length >= 2, command[1] == 1 {
            companion.node.sendFlood(advert, scope: scope)
        } else {
            companion.node.sendZeroHop(advert)
        }
        companion.ok()
        return true
    }
}
