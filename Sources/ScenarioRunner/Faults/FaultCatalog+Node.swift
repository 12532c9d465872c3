internal import RadioSimulator
internal import RigBase
internal import ScenarioModel

/// What can happen to a node, and what its firmware can do wrong.
extension FaultCatalog {
    static let nodeKinds: [FaultKind] = [
        crash, reboot, powerLoss, clockJump, clockDrift, storage, packetPool, flashStall,
    ]

    static let firmwareKinds: [FaultKind] = [quirks, forgedAck, queueLimit, evictContact]

    // MARK: Node

    static let crash = FaultKind(
        seam: .node, keyword: "crash", summary: "the firmware fails and starts anew; what was not saved is lost",
        type: .bool,
        example: "- { on: node, of: alice, when: { frames: { reply: contact, at-least: 3 } }, crash: true }"
    ) { input in input.flag(.node(.crash)) }

    static let reboot = FaultKind(
        seam: .node, keyword: "reboot", summary: "the node restarts in good order", type: .bool,
        example: "- { on: node, of: alice, when: { frames: { reply: sent } }, reboot: true }"
    ) { input in input.flag(.node(.reboot)) }

    static let powerLoss = FaultKind(
        seam: .node, keyword: "power-loss",
        summary: "the node is off as long as the fault lasts; says what is left in flash then",
        type: .choice(NodeFault.FlashState.allCases.map(\.rawValue)),
        example: "- { on: node, of: bob, at: 10s, duration: 30s, power-loss: kept }"
    ) { input in
        input.value { $0.text($1) }.flatMap(NodeFault.FlashState.init(rawValue:)).map { .node(.powerLoss($0)) }
    }

    static let clockJump = FaultKind(
        seam: .node, keyword: "clock-jump", summary: "the node's clock shows that much more, or less",
        type: .signedDuration, example: "- { on: node, of: alice, at: 10s, clock-jump: -2h }"
    ) { input in
        input.value { $0.duration($1) }.map { .node(.clockJump(seconds: $0.wholeMilliseconds / 1_000)) }
    }

    static let clockDrift = FaultKind(
        seam: .node, keyword: "clock-drift", summary: "the node's clock runs fast by so many parts per million",
        type: .integer(-900_000...900_000), example: "- { on: node, of: bob, clock-drift: 50000 }"
    ) { input in
        input.value { $0.integer($1) }.map { .node(.clockDrift(partsPerMillion: Int32($0))) }
    }

    static let storage = FaultKind(
        seam: .node, keyword: "storage",
        summary:
            "`full`: nothing is saved any more; `corrupt`: what is stored of each contact is damaged, to be read at the next start",
        type: .choice(["full", "corrupt"]), example: "- { on: node, of: alice, storage: full }"
    ) { input in
        input.value { $0.text($1) }.map { .node($0 == "full" ? .fullStorage : .corruptStorage) }
    }

    static let packetPool = FaultKind(
        seam: .node, keyword: "packet-pool", summary: "the node has no more packet buffers than this",
        type: .integer(0...1000), example: "- { on: node, of: alice, at: 10s, duration: 20s, packet-pool: 0 }"
    ) { input in input.value { $0.integer($1) }.map { .node(.packetPool($0)) } }

    static let flashStall = FaultKind(
        seam: .node, keyword: "flash-stall",
        summary: "the firmware stands still for that long, waiting for its flash; the radio goes on", type: .duration,
        example: "- { on: node, of: alice, when: { frames: { command: send-text } }, flash-stall: 3s }"
    ) { input in
        input.value { $0.duration($1) }.map { .node(.flashStall(milliseconds: max(1, $0.wholeMilliseconds))) }
    }

    // MARK: Firmware

    static let quirks = FaultKind(
        seam: .firmware, keyword: "quirks", summary: "switches of the firmware's behaviour, as long as the fault lasts",
        type: .table(.bool),
        example: "- { on: firmware, of: alice, at: 10s, duration: 20s, quirks: { confirms-twice: true } }"
    ) { input in
        guard let entries = input.argument?.mapping, !entries.isEmpty else {
            input.problems.add(input.spot, "quirks takes switches", hint: "as in: { confirms-twice: true }")
            return nil
        }
        let switches = entries.compactMap { entry -> NodeFault.Quirk? in
            let place = NameAtSpot(entry.key, entry.keySpot)
            place.check(among: Quirks.switches.map(\.name), what: "quirk", input.problems)
            return ValueReader(.bool, entry.key, input.problems).bool(entry.value).map {
                NodeFault.Quirk(entry.key, isOn: $0)
            }
        }
        return .node(.quirks(switches))
    }

    static let forgedAck = FaultKind(
        seam: .firmware, keyword: "forged-ack",
        summary:
            "the node hears an acknowledgement nobody sent: of its `latest` text, of the one `earlier` (an attempt before), or of a text by `nobody`",
        type: .choice(NodeFault.AckChoice.allCases.map(\.rawValue)),
        example: "- { on: firmware, of: alice, when: { frames: { reply: sent } }, forged-ack: latest }"
    ) { input in
        input.value { $0.text($1) }.flatMap(NodeFault.AckChoice.init(rawValue:)).map { .node(.forgedAck($0)) }
    }

    static let queueLimit = FaultKind(
        seam: .firmware, keyword: "queue-limit", summary: "no more messages than this can wait for the app",
        type: .integer(0...1000), example: "- { on: firmware, of: alice, queue-limit: 2 }"
    ) { input in input.value { $0.integer($1) }.map { .node(.queueLimit($0)) } }

    static let evictContact = FaultKind(
        seam: .firmware, keyword: "evict-contact",
        summary: "the contact modified longest ago gives way to a newcomer, as when the table overflows", type: .bool,
        example: "- { on: firmware, of: alice, when: { frames: { reply: contact, at-least: 2 } }, evict-contact: true }"
    ) { input in input.flag(.node(.evictContact)) }
}
