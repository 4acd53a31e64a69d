// Generated from openapi/ by `pnpm generate`. Do not edit.

export interface paths {
    "/oauth/v2/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Starts login and approval of a user
         * @description For a browser: shows a login and approval page; on completion the user agent is redirected to `redirect_uri` with `code` and, if sent, `state`. The user must always approve. For an unknown client or redirect URI the response is an error page, never a redirect; every other error is a redirect with `error` (toolkit). The implicit grant is not supported. Specification § Identity provider.
         */
        get: operations["authorize"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/v2/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges a code, a refresh token or a client's credentials for tokens
         * @description `grant_type` selects one of three grants. The client authenticates with `client_id` and `client_secret` in the form; HTTP Basic is also accepted, both at once are answered with 400 (toolkit, RFC 6749 § 2.3). Unknown fields are ignored. Specification § Identity provider and § Device token request (whose path is the toolkit's decision).
         */
        post: operations["issueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/v2/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends a token
         * @description Revokes a refresh token's family, or an access token, at once; an unknown token is also answered with 200. The client authenticates as at the token endpoint. Toolkit, RFC 7009 § 2.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/v2/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Signs the user out of the service in this browser
         * @description For a browser that an application sends here: asks a signed-in user whether to sign out of the service, ends the browser's sessions at the sign-in pages and at the portal, and returns to the application. A user who is not signed in returns at once, one who stays signed in returns too. The application's own tokens stay valid: revoke them first. Parameters are named as in OpenID Connect RP-Initiated Logout 1.0 § 2, so that libraries can send them; other parameters are ignored. Toolkit.
         */
        get: operations["signOut"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/v2/jwks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The public keys
         * @description The public keys for access tokens and for the signatures of relay messages. Toolkit, RFC 7517 § 5.
         */
        get: operations["getJwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metadata of the identity provider for clients
         * @description Endpoints and capabilities of the identity provider. Toolkit, RFC 8414 § 3.
         */
        get: operations["getAuthorizationServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is signed in
         * @description The user of the access token and the user's account, for apps that show who is signed in. Toolkit.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pairing-tokens/consume-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns a headless sensor's device token
         * @description Within 60 seconds after a user has pressed Pair for the device, the device can fetch its token once, by its local ID. No authentication. `Content-Type: application/json`, no body; the body and the type are ignored (toolkit). Served under `{base_url}` and `{surveillance_ui_url}`. Devices poll once a second; 404 means that the user has not pressed Pair yet. Specification § Surveillance ingest and § Other shown moves.
         */
        post: operations["consumePairingToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pairing-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts the pairing of a device
         * @description Does the same as the Pair button: for 60 seconds the device can fetch its token. Another request for the same device replaces the first; an account can make 600 a minute. A sensor that was registered without an operator, after another account had its local ID, is refused with 409 until an operator allows its pairing or the other sensor is removed. Toolkit; the specification (§ Other shown moves) describes only the button.
         */
        post: operations["createPairingRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pairing-requests/{pairingRequestId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The pairing request, by its ID, 1 to 128 characters. Toolkit.
                 * @example pr_4Jm2Zk8Qx1
                 */
                pairingRequestId: components["parameters"]["PairingRequestId"];
            };
            cookie?: never;
        };
        /**
         * Returns a pairing request
         * @description A pairing request of the account, with its state. Toolkit.
         */
        get: operations["getPairingRequest"];
        put?: never;
        post?: never;
        /**
         * Cancels a pairing request
         * @description The device can no longer fetch its token. A consumed or expired request does not change. Toolkit.
         */
        delete: operations["cancelPairingRequest"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/position-reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submits a report
         * @description Accepts a report for processing. The response is sent after the report is stored durably; processing is asynchronous. JSON in UTF-8, at most 1 MiB after decompression (gzip, deflate, br), with at most 32 levels of nesting and 4,096 different member names (toolkit). Checked in this order: 401, 403 for the scope, 413, 415, 400, 403 for the sensor (toolkit). Specification § Surveillance ingest.
         */
        post: operations["submitPositionReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The devices of the account
         * @description Every device of the user's account, sorted by ID. Specification § Surveillance out.
         */
        get: operations["listDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/devices/{deviceUrn}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its URN, percent-encoded or raw. Specification § Surveillance out. 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceUrn: components["parameters"]["DeviceUrn"];
            };
            cookie?: never;
        };
        /**
         * One device
         * @description A device of the user's account; a device of another account is answered with 404. Specification § Surveillance out.
         */
        get: operations["getDevice"];
        put?: never;
        post?: never;
        /**
         * Removes a device
         * @description Revokes the device's tokens and removes the device from the account. Nothing more is sent to its relay. The sensor can be registered again later. For 30 days, a device of another account with the same local ID cannot be paired, unless that account had the local ID first, an operator allows it, or `releaseLocalId` is true. Toolkit.
         */
        delete: operations["removeDevice"];
        options?: never;
        head?: never;
        /**
         * Changes the name or the tags of a device
         * @description Name and tags are for people; the device's ID does not change. 400 for a body with other members only. Toolkit.
         */
        patch: operations["changeDevice"];
        trace?: never;
    };
    "/v1/devices/{deviceId}/recent": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its ID. Specification § Surveillance out. The ID is the URN, percent-encoded or raw; 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceId: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        /**
         * Lists the recent reports of a device
         * @description The reports received in the current metric window, as submitted. Specification § Surveillance out. The window is the last hour. The reports are sorted newest first, at most 10,000 and at most 64 MiB (toolkit). Without `limit`, the response has all of them and is sent in portions. With `limit`, it ends after about 8 MiB; `next` says where to go on (toolkit).
         */
        get: operations["listRecentReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/devices/{deviceUrn}/toggle-storing-position-reports": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its URN, percent-encoded or raw. Specification § Surveillance out. 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceUrn: components["parameters"]["DeviceUrn"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switches the storage of a device's reports on or off
         * @description Inverts `shouldStorePositionReportMetrics` and returns its new value. No body. Specification § Surveillance out and § Other shown moves.
         */
        post: operations["toggleStoringPositionReports"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/devices/{deviceId}/relay": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its ID. Specification § Surveillance out. The ID is the URN, percent-encoded or raw; 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceId: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sets a device's relay
         * @description Sets the address to which the device's reports are forwarded, and its state. Specification § Surveillance out. With state 1 the service validates the address first. The response is 200 in both cases; its `relayDetails` have the state, Active or Failed (toolkit).
         */
        post: operations["updateRelay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/devices/{deviceId}/relay/change-address": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its ID. Specification § Surveillance out. The ID is the URN, percent-encoded or raw; 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceId: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes a device's relay address, if the new one passes the validation
         * @description Validates the new address first. If it returns the validation code, it becomes the device's relay, in the state Active; otherwise the response is 409 and nothing changes: reports still go to the earlier address. In contrast, `updateRelay` sets the address in both cases. Toolkit.
         */
        post: operations["changeRelayAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/devices/{deviceId}/relay/test-message": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its ID. Specification § Surveillance out. The ID is the URN, percent-encoded or raw; 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceId: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a test message to the relay
         * @description One position report with `additionalInfo` `{"test": true}` at latitude 0, longitude 0, as a report of the device. It is sent at once, ahead of queued messages, and not retried. The relay must be Active. No body. The status is 200 for every answer of the relay. Toolkit.
         */
        post: operations["sendTestMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/devices/{deviceId}/relay/retry": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its ID. Specification § Surveillance out. The ID is the URN, percent-encoded or raw; 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceId: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tries to send the waiting messages of a relay now
         * @description Ends the wait before the next attempt: the first waiting message is sent at once, and after it the others, in order. The relay must be Active. Without waiting messages nothing is sent. No body. Toolkit.
         */
        post: operations["retryRelay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The deliveries of all devices of the account, in numbers
         * @description For an overview. Messages are counted at the time of the request, attempts per minute. Toolkit.
         */
        get: operations["getDeliverySummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/devices/{deviceId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its ID. Specification § Surveillance out. The ID is the URN, percent-encoded or raw; 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceId: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        /**
         * Lists the deliveries of a device
         * @description Without `state`, the deliveries of all states: first pending, then buried, then delivered. Pending deliveries are in the order in which they will be sent, buried ones sorted by burial, oldest first, delivered ones newest first; the last 50 delivered ones of a device are kept. The messages are not included. The response also has the numbers of pending, buried and dropped messages. Toolkit.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/devices/{deviceId}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its ID. Specification § Surveillance out. The ID is the URN, percent-encoded or raw; 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceId: components["parameters"]["DeviceId"];
                /**
                 * @description The delivery, by its ID, 1 to 128 characters. Toolkit.
                 * @example dl_4711
                 */
                deliveryId: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        /**
         * Returns one delivery with its message
         * @description A delivery that is pending, buried or one of the last 50 delivered ones of the device. For a delivered message, at most the first 16,384 characters are kept. Toolkit.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/devices/{deviceId}/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its ID. Specification § Surveillance out. The ID is the URN, percent-encoded or raw; 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceId: components["parameters"]["DeviceId"];
                /**
                 * @description The delivery, by its ID, 1 to 128 characters. Toolkit.
                 * @example dl_4711
                 */
                deliveryId: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a message to the relay again
         * @description Appends a buried or delivered message to the end of the queue, with the same `webhook-id`. No body. Toolkit.
         */
        post: operations["resendDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/devices/{deviceId}/resend-buried": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its ID. Specification § Surveillance out. The ID is the URN, percent-encoded or raw; 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceId: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends buried messages to the relay again
         * @description Appends all buried messages to the end of the queue, the oldest first, with the same `webhook-id`. Ends early after 5 s, when the account has resent 10,000 messages in a minute, and when the backlog of the relay is full; then `buried` is not 0, and the request can be repeated. No body. Toolkit.
         */
        post: operations["resendBuriedDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/devices/{deviceUrn}/history": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its URN, percent-encoded or raw. Specification § Surveillance out. 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceUrn: components["parameters"]["DeviceUrn"];
            };
            cookie?: never;
        };
        /**
         * When a device was paired, got tokens, and had a report refused
         * @description For finding out why a device is silent. Kept for 90 days after the last entry; an entry may be missing when the process ended while it was written. Toolkit.
         */
        get: operations["getDeviceHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/devices/{deviceUrn}/revoke-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its URN, percent-encoded or raw. Specification § Surveillance out. 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceUrn: components["parameters"]["DeviceUrn"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revokes the tokens of a device
         * @description Every access and refresh token of the device ends within a second. To get new tokens, the device must be paired again, or request one with its client's secret. No body. Toolkit.
         */
        post: operations["revokeDeviceTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sensor-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the sensor requests of the account
         * @description The account's requests for the registration of sensors, newest first. Toolkit.
         */
        get: operations["listSensorRequests"];
        put?: never;
        /**
         * Requests the registration of sensors
         * @description One sensor or several; all of them are accepted or none, and `errors` lists the invalid ones. An operator approves or refuses the requests; with open registration the sensors are registered at once, and one whose local ID another account has cannot be paired until an operator allows it. Toolkit: in the specification (§ Device authentication) registration is a support request.
         */
        post: operations["createSensorRequests"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/air/tracks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The tracks of the account
         * @description One track for each target, from the positions of all sensors of the account. Not for navigation. 404 if the air picture is switched off. Toolkit.
         */
        get: operations["listAirTracks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/air/tracks/{trackId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description ID of a track. Toolkit.
                 * @example t1f
                 */
                trackId: components["parameters"]["TrackId"];
            };
            cookie?: never;
        };
        /**
         * A track with its history
         * @description The track, where it was, and why its positions belong together. Not for navigation. 404 if the air picture is switched off. Toolkit.
         */
        get: operations["getAirTrack"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/air/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where the targets of the account were
         * @description The paths of the tracks in the last minutes, for trails and for replay, also of tracks that have ended. It is shorter than the histories of the tracks: at most 100,000 points. Not for navigation. 404 if the air picture is switched off. Toolkit.
         */
        get: operations["listAirHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/air/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The alerts of the account
         * @description Predicted loss of separation, entry of areas, silent sensors, identifiers in two places. Not for navigation. 404 if the air picture is switched off. Toolkit.
         */
        get: operations["listAirAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/air/areas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The areas that are watched
         * @description The areas that the account has set. 404 if the air picture is switched off. Toolkit.
         */
        get: operations["listAirAreas"];
        /**
         * Sets the areas that are watched
         * @description Replaces all areas of the account; they are watched within seconds. At most 20,000 positions in all. 400 also for a ring that is not closed, a repeated `id`, a floor above its ceiling, and a time that ends before it starts. 404 if the air picture is switched off. Toolkit.
         */
        put: operations["setAirAreas"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/air/sensors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The sensors in the air picture
         * @description Whether each sensor reports, how much and how late. 404 if the air picture is switched off. Toolkit.
         */
        get: operations["listAirSensors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/air/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follows the air picture
         * @description Server-sent events (WHATWG HTML, section 9.2), named `frame`, with an AirFrame as data: first the whole picture, then once a second what changed. With `Last-Event-ID` of an event of the last minutes and the same `bbox`, only what changed since. A client that reads slowly gets fewer events, each with all that changed. A comment is sent after 15 seconds without an event. The stream ends when the access token is no longer valid. 503 if too many streams are open. Not for navigation. 404 if the air picture is switched off. Toolkit.
         */
        get: operations["followAir"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/air/aircraft.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The tracks in the format of readsb
         * @description For programs that read `aircraft.json` of readsb, such as tar1090: the same members and units. 10,000 tracks at most, the first by their ids: if there may be more, ask for a box. Not for navigation. 404 if the air picture is switched off. Toolkit.
         */
        get: operations["listAirAircraft"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/air/tracks.geojson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The tracks as GeoJSON
         * @description For maps and geographic information systems. Not for navigation. 404 if the air picture is switched off. Toolkit.
         */
        get: operations["listAirTracksAsGeoJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Liveness check
         * @description Answers as long as the process runs, even if its storage does not respond. Served at every origin. Toolkit.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readiness check
         * @description For load balancers. Served at every origin. Toolkit.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Name and version
         * @description Name and version of the software. Served at every origin. Toolkit.
         */
        get: operations["getVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counters and gauges for Prometheus
         * @description Prometheus text format. Answers only loopback addresses, unless the operator set a token; then it requires this bearer token. Served at every origin. Toolkit.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description This document with the deployment's origins. Served at every origin. Toolkit.
         */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    validate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A relay address is validated
         * @description Sent by HTTPS POST when a relay address is set; the receiver returns the validation code. Specification § Events. It succeeds if the answer is 2xx within 10 seconds and the body is the code as text, as a JSON string, or as a JSON object whose only member is `validationCode` or `validationResponse` (toolkit).
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description ID of the message: the URN of the device, a `/`, and a hash of the report; the same on every attempt. In the URN, all characters except letters, digits, `:` and `-` are percent-encoded, so that the ID has no `.`. The signature covers it, so it proves whose message it is. Toolkit, Standard Webhooks.
                     * @example urn:aa:device:acme:roof1/2KWPBgLlAfxdpx2AI54pPJ85f4Wz1eT0q9sXcV3bN7M
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description Time of the attempt, seconds since 1970-01-01 UTC. Toolkit, Standard Webhooks.
                     * @example 1767787231
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description Space separated `v1a,<base64>`: Ed25519 over `<id>.<timestamp>.<body>`, with a key of the key set. Verification is optional for receivers. Toolkit, Standard Webhooks.
                     * @example v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RelayValidationMessage"];
                };
            };
            responses: {
                /** @description The validation code. Specification § Other shown moves; the media types are the toolkit's. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        /** @example 0b9f6d4e-5f0e-4f1b-9c55-2f6a0f1f3f51 */
                        "text/plain": string;
                        "application/json": string | {
                            validationCode: string;
                        } | {
                            validationResponse: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    positionReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A report is forwarded
         * @description Sent by HTTPS POST when a report of the device is processed while its relay is Active. Specification § Events. One report per message, in the order of the device's reports, at least once; `webhook-id` identifies repetitions (toolkit).
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description ID of the message: the URN of the device, a `/`, and a hash of the report; the same on every attempt. In the URN, all characters except letters, digits, `:` and `-` are percent-encoded, so that the ID has no `.`. The signature covers it, so it proves whose message it is. Toolkit, Standard Webhooks.
                     * @example urn:aa:device:acme:roof1/2KWPBgLlAfxdpx2AI54pPJ85f4Wz1eT0q9sXcV3bN7M
                     */
                    "webhook-id": components["parameters"]["WebhookId"];
                    /**
                     * @description Time of the attempt, seconds since 1970-01-01 UTC. Toolkit, Standard Webhooks.
                     * @example 1767787231
                     */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /**
                     * @description Space separated `v1a,<base64>`: Ed25519 over `<id>.<timestamp>.<body>`, with a key of the key set. Verification is optional for receivers. Toolkit, Standard Webhooks.
                     * @example v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==
                     */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                    /**
                     * @description W3C Trace Context: the trace of the request that submitted the report, if it had one, with a new parent ID for each attempt. Missing if the report was not yet processed when its process ended. Toolkit.
                     * @example 00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01
                     */
                    traceparent?: components["parameters"]["TraceParent"];
                    /**
                     * @description W3C Trace Context: the `tracestate` that was submitted with a valid `traceparent`. Toolkit.
                     * @example vendor=00f067aa0ba902b7
                     */
                    tracestate?: components["parameters"]["TraceState"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RelayPositionReportMessage"];
                };
            };
            responses: {
                /** @description The message is refused, like with 413, 415 and 422; it is set aside and can be sent again. Toolkit. */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The relay no longer exists; its state becomes Failed at once. Toolkit. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The message is sent again, after the time in `Retry-After` if present. Toolkit. */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Accepted. Toolkit. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The message is sent again, with growing pauses from 1 second to 5 minutes. The same for any status not named here. Toolkit. */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description Exchanges an authorization code for tokens. Specification § Token request, authorization code grant. */
        AuthorizationCodeTokenRequest: {
            /**
             * @description Must be `authorization_code`. Specification § Token request, authorization code grant. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            grant_type: "authorization_code";
            /** @description The code of the callback; valid for 60 seconds and one use. Specification § Token request, authorization code grant. */
            code: string;
            /** @description Must match the redirect URI of the authorization request; not URL encoded beyond the form's own encoding. Specification § Token request, authorization code grant. */
            redirect_uri: string;
            /** @description Client ID. Required by the specification (§ Token request, authorization code grant); may be missing only when the client authenticates with HTTP Basic (toolkit, RFC 6749 § 2.3.1). */
            client_id?: string;
            /** @description Client secret. Required by the specification (§ Token request, authorization code grant); may be missing only with HTTP Basic (RFC 6749 § 2.3.1) or for a public client, which has none and sends `code_verifier` instead (toolkit). If it is required and missing: 401 `invalid_client`. */
            client_secret?: string;
            /** @description Echoed in the response. Specification § Token request, authorization code grant. */
            state?: string;
            /** @description PKCE code verifier, 43 to 128 unreserved characters; required if the authorization request had a `code_challenge`. Toolkit, RFC 7636 § 4.5. */
            code_verifier?: string;
        };
        /** @description Exchanges a refresh token for new tokens; both tokens are replaced. Specification § Token request, refresh grant. */
        RefreshTokenRequest: {
            /**
             * @description Must be `refresh_token`. Specification § Token request, refresh grant. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            grant_type: "refresh_token";
            /** @description The refresh token. Specification § Token request, refresh grant. */
            refresh_token: string;
            /** @description Client ID. Required by the specification (§ Token request, refresh grant); may be missing only with HTTP Basic (toolkit, RFC 6749 § 2.3.1). */
            client_id?: string;
            /** @description Client secret. Required by the specification (§ Token request, refresh grant); may be missing with HTTP Basic (RFC 6749 § 2.3.1), for a public client, and for a refresh token that came from pairing: a headless sensor has no secret and sends only `client_id` (toolkit). */
            client_secret?: string;
            /** @description Echoed in the response. Specification § Token request, refresh grant. */
            state?: string;
            /** @description Space separated subset of the granted scopes; if missing, all of them. Toolkit, RFC 6749 § 6. */
            scope?: string;
        };
        /**
         * @description Local ID of a sensor, unique within the account: alphanumeric, 1 to 255 characters. Specification § Sensor identifiers and § Limits. A server with the default policy refuses any other ID with 400; with `--sensor-id-policy compat` it also accepts `.`, `_`, `:` and `-`, because real firmware sends IDs such as `imei:…` (toolkit). This pattern allows both policies.
         * @example roof1
         * @example mast2
         * @example D7F31A
         */
        LocalSensorId: string;
        /** @description Obtains a device token for one sensor. Specification § Device token request; its path is the toolkit's decision. */
        DeviceTokenRequest: {
            /**
             * @description Must be `client_credentials`. Specification § Device token request. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            grant_type: "client_credentials";
            /** @description The sensor's locally unique ID. Specification § Device token request. A missing or malformed value is answered with 400 (toolkit). */
            device_id: components["schemas"]["LocalSensorId"];
            /** @description ID of a client that is registered for the device flow. Required by the specification (§ Device token request); may be missing only with HTTP Basic (toolkit, RFC 6749 § 2.3.1). */
            client_id?: string;
            /** @description Secret of that client. Required by the specification (§ Device token request); may be missing only with HTTP Basic (toolkit, RFC 6749 § 2.3.1). If it is required and missing: 401 `invalid_client`. */
            client_secret?: string;
            /**
             * @description `surveillance_api`. Specification § Device token request. If missing, the scopes that the client is registered for (toolkit).
             * @example surveillance_api
             */
            scope?: string;
            /**
             * @description `jwt`. Specification § Device token request. May be absent; any other value is answered with 400 `invalid_request` (toolkit).
             * @example jwt
             */
            token_format?: string;
            /** @description Echoed in the response, as the other grants do. Toolkit. */
            state?: string;
        };
        /** @description A request to the token endpoint, by `grant_type`. Fields that are not named here are ignored (RFC 6749 § 3.2). Specification § Token request and § Device token request. */
        TokenRequest: components["schemas"]["AuthorizationCodeTokenRequest"] | components["schemas"]["RefreshTokenRequest"] | components["schemas"]["DeviceTokenRequest"];
        /** @description Tokens. Specification § Token response. */
        TokenResponse: {
            /** @description The access token, a JWT. Specification § Token response. */
            access_token: string;
            /**
             * @description Always `bearer`. Specification § Token response.
             * @constant
             */
            token_type: "bearer";
            /** @description Lifetime of the access token in seconds: 900 for users, 86400 for devices (toolkit). Clients should rely on the 401, not on this value. Specification § Token response. */
            expires_in: number;
            /** @description The refresh token; a refresh replaces both tokens. Specification § Token response. Missing if the client is not registered for the refresh grant (toolkit). */
            refresh_token?: string;
            /** @description The state that was sent. Specification § Token response. */
            state?: string;
            /** @description Space separated scopes that were granted. Toolkit, RFC 6749 § 5.1. */
            scope?: string;
        };
        /** @description Error of the identity provider. Toolkit: the specification does not show error bodies; this is RFC 6749 § 5.2. */
        OAuthError: {
            /**
             * @description Code of RFC 6749 § 4.1.2.1 and § 5.2, RFC 6750 § 3.1 or RFC 7009 § 2.2.1. Toolkit.
             * @enum {string}
             */
            error: "invalid_request" | "invalid_client" | "invalid_grant" | "unauthorized_client" | "unsupported_grant_type" | "unsupported_response_type" | "unsupported_token_type" | "invalid_scope" | "access_denied" | "invalid_token" | "insufficient_scope" | "server_error" | "temporarily_unavailable";
            /** @description A description for people, in one sentence. Toolkit, RFC 6749 § 5.2. */
            error_description?: string;
            /** @description URL of a page with more information. Toolkit, RFC 6749 § 5.2. */
            error_uri?: string;
            /** @description The state that was sent. Toolkit, as in the token response. */
            state?: string;
        };
        /** @description Revokes a token and the tokens issued from it. Toolkit, RFC 7009 § 2.1. */
        RevocationRequest: {
            /** @description The refresh or access token. Toolkit, RFC 7009 § 2.1. */
            token: string;
            /**
             * @description Which kind of token it is; any other value is ignored. Toolkit, RFC 7009 § 2.1.
             * @example refresh_token
             * @example access_token
             */
            token_type_hint?: string;
            /** @description Client ID, unless the client authenticates with HTTP Basic. Toolkit, RFC 6749 § 2.3.1. */
            client_id?: string;
            /** @description Client secret, unless HTTP Basic is used or the client is public. Toolkit, RFC 6749 § 2.3.1. */
            client_secret?: string;
        };
        /** @description A public key. Toolkit, RFC 7517 § 4 and RFC 8037 § 2. */
        Jwk: {
            /**
             * @description `EC` for access tokens (ES256), `OKP` for relay messages (Ed25519). Toolkit, RFC 7517 § 4.1.
             * @enum {string}
             */
            kty: "EC" | "OKP";
            /** @description ID of the key, as in the token's header. Toolkit, RFC 7517 § 4.5. */
            kid: string;
            /**
             * @description Always `sig`. Toolkit, RFC 7517 § 4.2.
             * @constant
             */
            use?: "sig";
            /**
             * @description Algorithm of the key. Toolkit, RFC 7517 § 4.4.
             * @enum {string}
             */
            alg?: "ES256" | "EdDSA";
            /**
             * @description Curve of the key. Toolkit, RFC 7518 § 6.2.1.1 and RFC 8037 § 2.
             * @enum {string}
             */
            crv: "P-256" | "Ed25519";
            /** @description X coordinate, or the public key of an `OKP`; base64url. Toolkit, RFC 7518 § 6.2.1.2. */
            x: string;
            /** @description Y coordinate, for `EC` only; base64url. Toolkit, RFC 7518 § 6.2.1.3. */
            y?: string;
        };
        /** @description The public keys in use, and the next keys before they are used. Toolkit, RFC 7517 § 5. */
        JwkSet: {
            /** @description The keys. Toolkit, RFC 7517 § 5.1. */
            keys: components["schemas"]["Jwk"][];
        };
        /** @description One wrong value. Toolkit, RFC 9457 § 3. */
        ProblemError: {
            /**
             * @description JSON Pointer (RFC 6901) into the body, also for a missing member; for a parameter `/query/<name>` or `/path/<name>`, for a header `/headers/<name>`. Toolkit.
             * @example /positions/0/altitudes/0/datum
             */
            pointer: string;
            /**
             * @description The violated rule, as a code for programs. Toolkit.
             * @example required
             * @example type
             * @example enum
             * @example minimum
             */
            code: string;
            /** @description What is wrong, in one sentence, with a suggestion if possible ("did you mean lon?"). Toolkit. */
            detail: string;
        };
        /** @description Error of every other operation, `application/problem+json`. Toolkit: the specification does not show error bodies; this is RFC 9457. */
        Problem: {
            /** @description URI of the problem type, `urn:problem:<code>`. Toolkit, RFC 9457 § 3.1.1. */
            type: string;
            /** @description A short name of the problem type, the same for every occurrence. Toolkit, RFC 9457 § 3.1.4. */
            title: string;
            /** @description The HTTP status, repeated. Toolkit, RFC 9457 § 3.1.2. */
            status: number;
            /**
             * @description The problem type as a code for programs. Toolkit, RFC 9457 § 3.2 (extension member).
             * @example invalid_body
             * @example device_not_found
             */
            code: string;
            /** @description Description of this occurrence for people, in one sentence. Toolkit, RFC 9457 § 3.1.3. */
            detail?: string;
            /** @description URI of this occurrence; contains the request's ID, for support. Toolkit, RFC 9457 § 3.1.5. */
            instance?: string;
            /** @description The wrong values, if they can be listed. Toolkit, RFC 9457 § 3 (as in its example). */
            errors?: components["schemas"]["ProblemError"][];
        };
        /** @description Metadata of the identity provider for clients. Toolkit, RFC 8414 § 2. */
        AuthorizationServerMetadata: {
            /** @description The issuer, `{auth_url}`; equals `iss` in tokens and on callbacks. Toolkit, RFC 8414 § 2. */
            issuer: string;
            /** @description URL of the authorize operation. Toolkit, RFC 8414 § 2. */
            authorization_endpoint: string;
            /** @description URL of the token operation. Toolkit, RFC 8414 § 2. */
            token_endpoint: string;
            /** @description URL of the revocation operation. Toolkit, RFC 8414 § 2. */
            revocation_endpoint?: string;
            /** @description URL of the sign-out operation. Toolkit; named as in OpenID Connect RP-Initiated Logout 1.0 § 2.1. */
            end_session_endpoint?: string;
            /** @description URL of the key set. Toolkit, RFC 8414 § 2. */
            jwks_uri: string;
            /** @description Scopes that the API checks. Toolkit, RFC 8414 § 2. */
            scopes_supported?: string[];
            /** @description Only `code`; the implicit grant is not supported. Toolkit, RFC 8414 § 2. */
            response_types_supported: string[];
            /** @description Only `query`. Toolkit, RFC 8414 § 2. */
            response_modes_supported?: string[];
            /** @description `authorization_code`, `refresh_token` and `client_credentials`. Toolkit, RFC 8414 § 2. */
            grant_types_supported: string[];
            /** @description `client_secret_post`, `client_secret_basic` and `none`. Toolkit, RFC 8414 § 2. */
            token_endpoint_auth_methods_supported?: string[];
            /** @description As for the token endpoint. Toolkit, RFC 8414 § 2. */
            revocation_endpoint_auth_methods_supported?: string[];
            /** @description Only `S256`. Toolkit, RFC 8414 § 2 and RFC 7636 § 4.2. */
            code_challenge_methods_supported?: string[];
            /** @description Always true. Toolkit, RFC 9207 § 3. */
            authorization_response_iss_parameter_supported?: boolean;
            /** @description Page for developers. Toolkit, RFC 8414 § 2. */
            service_documentation?: string;
        };
        /** @description The user of an access token, and the account that the user belongs to. Toolkit. */
        SignedInUser: {
            /** @description ID of the user; equals `sub` in the user's access tokens, and never changes. Toolkit. */
            userId: string;
            /** @description Name of the user, which is the e-mail address that the user signs in with. Toolkit. */
            userName: string;
            /** @description ID of the account. Toolkit. */
            accountId: string;
            /** @description Name of the account. Toolkit. */
            accountName: string;
        };
        /**
         * @description Globally unique ID of a sensor, `urn:aa:device:<client_part>:<local_sensor_id>`. Specification § Sensor identifiers. The characters allowed in the two parts are a decision of the toolkit.
         * @example urn:aa:device:acme:roof1
         * @example urn:aa:device:acme:mast2
         * @example urn:aa:device:north-coast:D7F31A
         */
        Urn: string;
        /**
         * @description A time from the service: RFC 3339 with an offset, in UTC. Specification § PairingToken and § Recent position report entry say ISO 8601; the exact profile is the toolkit's.
         * @example 2026-01-07T12:00:30.250Z
         * @example 2026-01-07T12:00:30+00:00
         */
        Timestamp: string;
        /** @description A device token from pairing. Compact JSON, with the fields in this order. Specification § PairingToken. */
        PairingToken: {
            /** @description Unique ID of the pairing request. Specification § PairingToken. */
            id: string;
            /** @description Globally unique sensor ID, derived from clientUniqueId. Specification § PairingToken. */
            sensorId: components["schemas"]["Urn"];
            /** @description The sensor's local ID. Specification § PairingToken. */
            clientUniqueId: components["schemas"]["LocalSensorId"];
            /** @description JWT for position reports. Specification § PairingToken. Shorter than 996 bytes, because real firmware cannot store more (toolkit). */
            accessToken: string;
            /** @description Used to obtain a new access token; opaque. Specification § PairingToken. */
            refreshToken: string;
            /** @description Expiry time of the access token, with offset. Specification § PairingToken. In UTC as `+00:00` (toolkit). */
            expiresAt: components["schemas"]["Timestamp"];
        };
        /** @description Starts the pairing of a device. Toolkit (see PairingRequest). */
        PairingRequestCreation: {
            /** @description The device to pair, one of the user's account. Toolkit. */
            deviceId: components["schemas"]["Urn"];
        };
        /** @description Who fetched the tokens of a pairing request. Toolkit. */
        PairingConsumer: {
            /** @description The address of the request. Toolkit. */
            address: string;
            /** @description The first 200 characters of its `User-Agent`; null when it sent none. Toolkit. */
            userAgent: string | null;
            /** @description When the tokens were fetched, UTC. Toolkit. */
            at: components["schemas"]["Timestamp"];
        };
        /** @description A user's permission for one device to fetch its token within 60 seconds. Toolkit: the specification describes the Pair button (§ Other shown moves), but no operation for it. */
        PairingRequest: {
            /** @description Unique ID of the pairing request; the `id` of the PairingToken. Toolkit. */
            id: string;
            /** @description The device. Toolkit. */
            deviceId: components["schemas"]["Urn"];
            /** @description Local ID by which the device fetches its token. Toolkit. */
            clientUniqueId: components["schemas"]["LocalSensorId"];
            /**
             * @description `pending`: the device can fetch its token; `consumed`: it has; `expired`: 60 seconds passed, the request was replaced or cancelled, or more than one address asked (`sources`) and the server is configured to refuse this. Toolkit.
             * @enum {string}
             */
            state: "pending" | "consumed" | "expired";
            /** @description End of the 60 seconds, UTC. Toolkit. */
            expiresAt: components["schemas"]["Timestamp"];
            /** @description Who fetched the tokens; null until they are fetched. If it was not your sensor, revoke the device's tokens. Toolkit. */
            consumedBy: components["schemas"]["PairingConsumer"] | null;
            /** @description Number of different addresses, up to 8, that asked for this sensor's tokens during the request and the minute before it. If it is more than one, check `consumedBy`. Toolkit. */
            sources: number;
        };
        /** @description A geographic position, WGS 84. Specification § GeographicPosition. */
        GeographicPosition: {
            /**
             * Format: double
             * @description Latitude in decimal degrees, north positive. Specification § GeographicPosition. −90 to 90 (toolkit).
             */
            lat: number;
            /**
             * Format: double
             * @description Longitude in decimal degrees, east positive. Specification § GeographicPosition. −180 to 180 (toolkit).
             */
            lon: number;
            /**
             * Format: double
             * @description Accuracy in metres. If omitted, it is derived from the decimals of lat and lon. Specification § GeographicPosition. Not negative (toolkit).
             */
            accuracy?: number;
            /** @description Source of the position, for example a satellite navigation receiver. Specification § GeographicPosition. */
            source?: string;
            /**
             * Format: double
             * @description Seconds since the position was acquired. Specification § GeographicPosition. Not negative (toolkit).
             */
            age?: number;
        };
        /**
         * @description `wgs84`: above the WGS 84 ellipsoid; `agl`: above ground level; `bar`: barometric, standard pressure; `msl`: above mean sea level. Case-sensitive. Specification § Height.
         * @enum {string}
         */
        AltitudeDatum: "wgs84" | "agl" | "bar" | "msl";
        /** @description A height above a datum; an item of `altitudes`, or a sensor's altitude. Specification § Height. */
        Height: {
            /**
             * Format: double
             * @description Metres above the datum. Specification § Height.
             */
            height: number;
            /** @description The datum from which the height is measured. Specification § Height. */
            datum: components["schemas"]["AltitudeDatum"];
            /**
             * Format: double
             * @description Accuracy in metres. Specification § Height. Not negative (toolkit).
             */
            accuracy?: number;
            /** @description Source of the height. Specification § Height. */
            source?: string;
            /**
             * Format: double
             * @description Seconds since the height was acquired. Specification § Height. Not negative (toolkit).
             */
            age?: number;
        };
        /** @description Position and orientation of a sensor. Specification § SensorPosition. */
        SensorPosition: {
            /** @description Position of the sensor. Specification § SensorPosition. */
            geographicPosition?: components["schemas"]["GeographicPosition"];
            /** @description Altitude of the sensor; for a ground-based one the datum should be `msl`. Specification § SensorPosition. */
            altitude?: components["schemas"]["Height"];
            /**
             * Format: double
             * @description Direction that a directed sensor faces, degrees from north. Specification § SensorPosition. 0 to 360 (toolkit).
             */
            heading?: number;
            /**
             * Format: double
             * @description Angle of a directed sensor from the horizontal, degrees. Specification § SensorPosition. −90 to 90 (toolkit).
             */
            angle?: number;
        };
        /** @description State of the sending sensor. Specification § SensorState. */
        SensorState: {
            /**
             * @description Locally unique ID of the sensor that supplies the positions; it must be the sensor for which the token was issued (otherwise 403). Specification § SensorState and § Device authentication. The sensor's URN is also accepted (toolkit).
             * @example roof1
             * @example urn:aa:device:acme:roof1
             */
            id: string;
            /**
             * Format: double
             * @description Pressure at the sensor in millibar (hectopascal). Specification § SensorState.
             */
            pressure?: number;
            /** @description Current position of a sensor that moves or turns. Specification § SensorState. */
            sensorPosition?: components["schemas"]["SensorPosition"];
            /** @description Additional state of the sensor, any JSON object. Specification § SensorState. */
            additionalInfo?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description A time by the sensor's clock: ISO 8601, UTC. Specification § PositionData, `sourceTimeStamp`. The exact profile is the toolkit's: RFC 3339 with or without an offset (without one: UTC), a valid calendar date (leap years and lengths of months), years 0001 to 9999, hours 00 to 23, at most 9 fractional digits of the second, offsets up to ±23:59, `T` and `Z` in either case. Second 60 is valid only where a leap second is possible: 23:59:60 in UTC, or the same minute with an offset of a multiple of 15 minutes. It is a `pattern`, not `format: date-time`, because validators disagree about that format.
         * @example 2026-01-07T12:00:30.250Z
         * @example 2026-01-07T14:00:30+02:00
         * @example 2026-01-07T12:00:30
         */
        SourceTimeStamp: string;
        /**
         * @description Kind of the detected object. Specification § Target.
         * @enum {string}
         */
        TargetType: "aa:target:aircraft" | "aa:target:drone";
        /** @description One identifier of a target. Specification § Identifier. */
        Identifier: {
            /** @description Value of the identifier. Specification § Identifier. */
            id: string;
            /**
             * @description Kind of the identifier, for example ICAO, IMEI, SerialNumber. Specification § Identifier.
             * @example ICAO
             * @example CallSign
             * @example SerialNumber
             */
            type?: string;
        };
        /** @description Identification of the detected object. Specification § Target. */
        Target: {
            /** @description The sensor's own ID for this target. Specification § Target. */
            sourceId?: string;
            /** @description Kind of the object. Specification § Target. */
            type?: components["schemas"]["TargetType"];
            /** @description Confidence that the type is identified correctly, in percent, 1 to 100. Specification § Target and § Limits. */
            confidence?: number;
            /** @description Known identifiers of the target. Specification § Target. */
            ids?: components["schemas"]["Identifier"][];
            /** @description Any JSON object, for example with make and model. Specification § Target. */
            additionalInfo?: {
                [key: string]: unknown;
            };
        };
        /** @description A vector over the ground. The unit depends on the member: metres per second for velocities, metres per second squared for acceleration. Specification § GeographicVector. */
        GeographicVector: {
            /**
             * Format: double
             * @description East-west component, east positive. Specification § GeographicVector.
             */
            x?: number;
            /**
             * Format: double
             * @description North-south component, north positive. Specification § GeographicVector.
             */
            y?: number;
            /**
             * Format: double
             * @description Up-down component, up positive. Specification § GeographicVector.
             */
            z?: number;
            /**
             * Format: double
             * @description Accuracy of x and y, in the vector's unit. Specification § GeographicVector. Not negative (toolkit).
             */
            horizontalAccuracy?: number;
            /**
             * Format: double
             * @description Accuracy of z, in the vector's unit. Specification § GeographicVector. Not negative (toolkit).
             */
            verticalAccuracy?: number;
            /** @description Source of the vector. Specification § GeographicVector documents a double while its samples carry a string; the toolkit accepts both. */
            source?: string | number;
            /**
             * Format: double
             * @description Seconds since the vector was acquired. Specification § GeographicVector. Not negative (toolkit).
             */
            age?: number;
        };
        /** @description One position of a target at a time. The map shows it if it has `id`, `sourceTimeStamp`, `position` (lat, lon), `target.ids[]` (id and type), `altitudes[]` (height and datum) and `groundVelocity` (x, y, z); a position without some of them is still accepted, stored and relayed. Specification § PositionData. */
        PositionData: {
            /** @description Identifies this position, chosen by the sender. Specification § PositionData. 1 to 255 characters (Unicode code points), without NUL and lone surrogates: toolkit, because it is stored, compared and signed. */
            id: string;
            /** @description Time at which the sensor sent the position, by the sensor's clock; the sensor accounts for internal delay (IAT). UTC. Specification § PositionData. */
            sourceTimeStamp: components["schemas"]["SourceTimeStamp"];
            /** @description Identification of the detected object. Specification § PositionData. */
            target?: components["schemas"]["Target"];
            /** @description Position of the detected object. Specification § PositionData. */
            position: components["schemas"]["GeographicPosition"];
            /** @description The detected altitudes, one or more, each with its datum. Specification § PositionData. */
            altitudes?: components["schemas"]["Height"][];
            /** @description Speed over ground and track, in metres per second. Specification § PositionData. */
            groundVelocity?: components["schemas"]["GeographicVector"];
            /** @description True airspeed, in metres per second. Specification § PositionData. */
            trueAirspeed?: components["schemas"]["GeographicVector"];
            /** @description True if the sensor considers the object to be on the ground. Specification § PositionData. */
            onGround?: boolean;
            /** @description Acceleration, in metres per second squared. Specification § PositionData. */
            acceleration?: components["schemas"]["GeographicVector"];
            /**
             * Format: double
             * @description Heading in degrees. Specification § PositionData. 0 to 360, both included (toolkit).
             */
            heading?: number;
            /** @description Sensor-specific information, any JSON object. Specification § PositionData. */
            additionalInfo?: {
                [key: string]: unknown;
            };
        };
        /** @description One report: a sensor and the positions that it detected. Fields that this document does not name are kept and forwarded unchanged. Specification § PositionReport; unknown fields: toolkit, so that newer senders and receivers keep working. */
        PositionReport: {
            /** @description Metadata of the sending sensor. Specification § PositionReport. */
            sensor?: components["schemas"]["SensorState"];
            /** @description The positions, 1 to 1000. At least one: specification § PositionReport and § Limits. At most 1000: toolkit, because the specification shows no maximum, and the size of a report must be limited. */
            positions: components["schemas"]["PositionData"][];
        };
        /** @description Number of reports and positions from a device in one minute of the metric window. Toolkit: the specification does not show the elements of `positionReportMetrics`. */
        PositionReportMetric: {
            /** @description Start of the minute, UTC. Toolkit. */
            windowStart: components["schemas"]["Timestamp"];
            /** @description Number of reports accepted in this minute. Toolkit. */
            reports: number;
            /** @description Number of positions in these reports. Toolkit. */
            positions: number;
        };
        /**
         * @description `Active`: processed position reports are forwarded; `Inactive`: they are not; `Failed`: the relay failed, `failureDescription` has the reason. Specification § Relay state.
         * @enum {string}
         */
        RelayState: "Active" | "Inactive" | "Failed";
        /** @description Relay of a device. Specification § RelayDetails. */
        RelayDetails: {
            /** @description Relay address, HTTPS. Specification § RelayDetails. */
            url: string;
            /** @description State of the relay, as a word. Specification § RelayDetails and § Relay state. */
            state: components["schemas"]["RelayState"];
            /** @description Why the relay failed; null unless it is Failed. Specification § RelayDetails. */
            failureDescription: string | null;
        };
        /** @description Words by which a user groups devices, at most 10: each has 1 to 32 characters and no spaces or commas. Toolkit. */
        DeviceTags: string[];
        /** @description A device: the service's record of a sensor. Specification § Device; that every field is always present is a decision of the toolkit. */
        Device: {
            /** @description Identifies the device. Specification § Device does not show its format; it is the sensor's URN (toolkit). */
            deviceId: components["schemas"]["Urn"];
            /** @description Creation time of the device. Specification § Device; RFC 3339 in UTC (toolkit). */
            deviceCreationTimestamp: components["schemas"]["Timestamp"];
            /** @description Name of the device. Specification § Device; the local ID if none was given (toolkit). */
            deviceName: string;
            /** @description Counts of the current metric window, one element per minute; null in the response of the relay update. Specification § Device, which does not show the elements. */
            positionReportMetrics: components["schemas"]["PositionReportMetric"][] | null;
            /** @description Relay of the device. Specification § Device. Null before a relay is set (toolkit). */
            relayDetails: components["schemas"]["RelayDetails"] | null;
            /** @description Whether position reports are stored for the current metric window. Specification § Device. Starts as true (toolkit). */
            shouldStorePositionReportMetrics: boolean;
            /** @description When the last stored report of the current metric window was received, UTC; null when there is none, and in the response of the relay update. Toolkit. */
            lastReportAt?: components["schemas"]["Timestamp"] | null;
            /** @description The tags that users of the account gave the device; the first one is its group in lists. Toolkit. */
            tags?: components["schemas"]["DeviceTags"];
        };
        /** @description The devices of the user's account. Specification § Surveillance out. */
        DeviceList: {
            /** @description The devices, sorted by ID. Specification § Surveillance out; the order is the toolkit's. */
            data: components["schemas"]["Device"][];
        };
        /** @description What a user changes of a device; members that are absent stay as they are. Toolkit. */
        DeviceChange: {
            /**
             * @description The name, 1 to 100 characters without control characters. Toolkit.
             * @example Roof, north side
             */
            deviceName?: string;
            /** @description All tags of the device from now on; the first one is its group in lists. A repeated tag counts once. Toolkit. */
            tags?: components["schemas"]["DeviceTags"];
        };
        /** @description A report as it was received in the current metric window. Specification § Recent position report entry. */
        RecentPositionReport: {
            /** @description When the service received the report, ISO 8601. Specification § Recent position report entry. */
            receivedTimeStamp: components["schemas"]["Timestamp"];
            /** @description The sensor, as submitted; missing if it was not submitted. Specification § Recent position report entry. */
            sensor?: components["schemas"]["SensorState"];
            /** @description The positions, as submitted. Specification § Recent position report entry. */
            positions: components["schemas"]["PositionData"][];
            /** @description Tags added by the pipeline, for example `late`, `duplicate`, `clock-skew`, `not-mapped`, `mended`, `datum-not-msl`, `no-offset`. Specification § Recent position report entry does not show the elements; they are strings (toolkit). */
            tags: string[];
        };
        /** @description The reports of the current metric window, newest first. Specification § Surveillance out. */
        RecentPositionReportList: {
            /** @description The reports, newest first. Specification § Surveillance out; the order is the toolkit's. */
            data: components["schemas"]["RecentPositionReport"][];
            /** @description True when the window has older reports than those in `data`, or had older ones, which were deleted because the window has a maximum (10,000 reports and 64 MiB). Toolkit. */
            truncated?: boolean;
            /** @description The value of `after` for the reports that follow. Missing when no stored reports follow. Toolkit. */
            next?: string;
        };
        /** @description The new relay of a device. Specification § Surveillance out, body of the relay update. */
        RelayUpdate: {
            /**
             * @description Relay address; must be HTTPS. Specification § RelayDetails. At most 2048 ASCII characters, without white space, fragment and backslash; the server checks further rules (toolkit).
             * @example https://relay.example.net/position-reports
             */
            url: string;
            /**
             * @description New state: 1 Active, 2 Inactive, 3 Failed. Specification § Relay state. With 1 the service validates the address first; the response has the resulting state, Active or Failed (toolkit).
             * @enum {integer}
             */
            state: 1 | 2 | 3;
        };
        /** @description Sent to a relay address when it is set; the receiver returns the code. Specification § Relay messages. */
        RelayValidationMessage: {
            /**
             * @description Always `validate`. Specification § Relay messages. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            name: "validate";
            /**
             * @description Always `1.0`. Specification § Relay messages and § Versioning.
             * @constant
             */
            version: "1.0";
            /** @description The code to return, a GUID. Specification § Relay messages. */
            validationCode: string;
        };
        /** @description A report, forwarded to a relay address as it was submitted. Specification § Relay messages. */
        RelayPositionReportMessage: {
            /**
             * @description Always `position_report`. Specification § Relay messages. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            name: "position_report";
            /**
             * @description Always `1.0`. Specification § Relay messages and § Versioning.
             * @constant
             */
            version: "1.0";
            /** @description The report, as submitted. Specification § Relay messages. */
            positionReport: components["schemas"]["PositionReport"];
        };
        /** @description One of the two messages that a relay address receives; `name` distinguishes them. Specification § Relay messages. */
        RelayMessage: components["schemas"]["RelayValidationMessage"] | components["schemas"]["RelayPositionReportMessage"];
        /** @description The new relay address of a device. Toolkit. */
        RelayAddress: {
            /**
             * @description Relay address; must be HTTPS. At most 2048 ASCII characters, without white space, fragment and backslash; the server checks further rules. Toolkit.
             * @example https://relay.example.net/position-reports
             */
            url: string;
        };
        /** @description One POST of a relay message. Toolkit. */
        DeliveryAttempt: {
            /** @description When the attempt started, UTC. Toolkit. */
            startedAt: components["schemas"]["Timestamp"];
            /** @description Duration from resolving the relay's name to the last byte of its answer. Toolkit. */
            durationMilliseconds: number;
            /** @description The relay address of the attempt. Toolkit. */
            url: string;
            /** @description HTTP status of the answer; null when there was none. Toolkit. */
            status: number | null;
            /**
             * @description `accepted`: delivered; `retry`: will be sent again; `refused`: set aside, the next message follows; `gone`: the relay becomes Failed. Toolkit.
             * @enum {string}
             */
            outcome: "accepted" | "retry" | "refused" | "gone";
            /** @description Why the attempt failed; null when it was accepted. Toolkit. */
            reason: string | null;
        };
        /** @description One relay message of a device: pending, delivered or buried. Toolkit. */
        Delivery: {
            /** @description ID of the delivery, unique within the device. A message that is resent gets a new delivery ID. Toolkit. */
            id: string;
            /** @description The message's `webhook-id`, the same on every attempt and when it is resent. Toolkit. */
            messageId: string;
            /**
             * @description `pending`: waits to be sent; `delivered`: the relay has accepted it; `buried`: set aside with a reason, and can be resent. Toolkit.
             * @enum {string}
             */
            state: "pending" | "delivered" | "buried";
            /** @description When the message was queued, UTC. Toolkit. */
            owedSince: components["schemas"]["Timestamp"];
            /** @description Number of positions in the message. Toolkit. */
            positions: number;
            /** @description Number of attempts. Toolkit. */
            attemptCount: number;
            /** @description The latest attempts, oldest first, at most 10. Toolkit. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** @description When a pending message is sent next; null when this is unknown, or the message is not pending. Toolkit. */
            nextAttemptAt: components["schemas"]["Timestamp"] | null;
            /** @description Why the message is not delivered, if known; null when it is delivered. Toolkit. */
            reason: string | null;
            /** @description The JSON text of the message. Only in the response for a single delivery. Toolkit. */
            message?: string;
            /** @description True when only the beginning of a large message was kept; then it cannot be resent. Toolkit. */
            messageTruncated?: boolean;
        };
        /** @description The buried messages of one device, in numbers. Toolkit. */
        BuriedMessages: {
            /** @description The device. Toolkit. */
            deviceId: components["schemas"]["Urn"];
            /** @description Number of its buried messages. Toolkit. */
            buried: number;
        };
        /** @description An Active relay that did not accept its first waiting message at the last attempt. Toolkit. */
        RetryingRelay: {
            /** @description The relay's device. Toolkit. */
            deviceId: components["schemas"]["Urn"];
            /** @description When the first of the attempts failed after which the relay accepted nothing. Toolkit. */
            failingSince: components["schemas"]["Timestamp"];
            /** @description Number of messages that wait for the relay. Toolkit. */
            pending: number;
            /** @description Number of attempts to send the first of them. Toolkit. */
            attemptCount: number;
            /** @description Why the last attempt failed, if known. Toolkit. */
            reason: string | null;
            /** @description When the message is sent next; null when this is unknown. Toolkit. */
            nextAttemptAt: components["schemas"]["Timestamp"] | null;
        };
        /** @description The attempts to deliver messages to relays that ended in one minute of the metric window. Toolkit. */
        DeliveryMetric: {
            /** @description Start of the minute, UTC. Toolkit. */
            windowStart: components["schemas"]["Timestamp"];
            /** @description Number of messages that a relay accepted. Toolkit. */
            delivered: number;
            /** @description Number of attempts that were not accepted; most are repeated. Toolkit. */
            failedAttempts: number;
            /** @description Average time from the start of an accepted attempt to the relay's answer; null when none was accepted. Toolkit. */
            averageAnswerMilliseconds: number | null;
            /** @description The longest of these times; null when none was accepted. Toolkit. */
            longestAnswerMilliseconds: number | null;
            /** @description Average time that a delivered message was owed: from the report's routing to the relay's answer. Null when none was delivered. Toolkit. */
            averageLagMilliseconds: number | null;
        };
        /** @description The deliveries to all relays of an account, in numbers. Toolkit. */
        DeliverySummary: {
            /** @description Number of devices with a relay. Toolkit. */
            relays: number;
            /** @description Number of messages that wait for these relays. Toolkit. */
            pending: number;
            /** @description Number of buried messages for these relays. Toolkit. */
            buried: number;
            /** @description The devices that have buried messages, by device ID, at most 1,000. Toolkit. */
            buriedByDevice: components["schemas"]["BuriedMessages"][];
            /** @description The relays whose messages are being retried, by device ID, at most 1,000. Toolkit. */
            retrying: components["schemas"]["RetryingRelay"][];
            /** @description One element per minute of the metric window that had attempts, oldest first; written when the minute has ended. Toolkit. */
            deliveryMetrics: components["schemas"]["DeliveryMetric"][];
        };
        /** @description Deliveries of a device, and their numbers. Toolkit. */
        DeliveryList: {
            /** @description The deliveries. Toolkit. */
            data: components["schemas"]["Delivery"][];
            /** @description Number of pending messages. Toolkit. */
            pending: number;
            /** @description Number of buried messages. Toolkit. */
            buried: number;
            /** @description Number of messages that were dropped because the relay had too many pending messages; they are not sent. Counted per address, with a delay of about a second; reset to 0 by a new address, and 30 days after the last drop. Toolkit. */
            dropped: number;
            /** @description When the first message was dropped; null when none was. Toolkit. */
            firstDroppedAt: components["schemas"]["Timestamp"] | null;
            /** @description When the last message was dropped; null when none was. Toolkit. */
            lastDroppedAt: components["schemas"]["Timestamp"] | null;
            /** @description One element per minute of the metric window that had attempts, oldest first; written when the minute has ended. Toolkit. */
            deliveryMetrics?: components["schemas"]["DeliveryMetric"][];
        };
        /** @description Result of sending buried messages again. Toolkit. */
        ResentDeliveries: {
            /** @description Number of messages that were queued again. Toolkit. */
            resent: number;
            /** @description Number of messages that are still buried. Toolkit. */
            buried: number;
        };
        /** @description Tokens that a device got. Toolkit. */
        IssuedToken: {
            /** @description When the tokens were issued, UTC. Toolkit. */
            at: components["schemas"]["Timestamp"];
            /**
             * @description How the device got them. Toolkit.
             * @enum {string}
             */
            grant: "pairing" | "client_credentials" | "refresh_token";
        };
        /** @description A report that was refused. Its content is not kept. Toolkit. */
        RefusedReport: {
            /** @description When the report was refused, UTC. Toolkit. */
            at: components["schemas"]["Timestamp"];
            /** @description HTTP status of the response. Toolkit. */
            status: number;
            /** @description The problem's `detail`, its first 500 characters. Toolkit. */
            detail: string;
        };
        /** @description What happened to a device's access. Toolkit. */
        DeviceHistory: {
            /** @description The latest pairings, newest first, at most 10. Toolkit. */
            pairings: components["schemas"]["PairingConsumer"][];
            /** @description When the device last got tokens; null when this is unknown. Accurate to about a minute. Toolkit. */
            lastToken: components["schemas"]["IssuedToken"] | null;
            /** @description The last refused report; null when none was refused. At most one in 10 s is recorded. Toolkit. */
            lastRefusedReport: components["schemas"]["RefusedReport"] | null;
        };
        /** @description A user's request to register a sensor. Toolkit: in the specification (§ Device authentication) registration is a support request. */
        SensorRequest: {
            /** @description ID of the request; an operator uses it to approve or refuse the request. Toolkit. */
            id: string;
            /** @description Local ID of the sensor. Toolkit. */
            clientUniqueId: components["schemas"]["LocalSensorId"];
            /** @description Name of the new device. Toolkit. */
            name: string;
            /** @description The client application of the sensor. Toolkit. */
            clientId: string;
            /** @description When the request was created, UTC. Toolkit. */
            requestedAt: components["schemas"]["Timestamp"];
            /**
             * @description `pending`: waits for an operator; `approved`: the sensor is registered; `refused`: the sensor is not registered. Toolkit.
             * @enum {string}
             */
            state: "pending" | "approved" | "refused";
        };
        /** @description Requests for the registration of sensors. Toolkit. */
        SensorRequestList: {
            /** @description The requests. Toolkit. */
            data: components["schemas"]["SensorRequest"][];
        };
        /** @description A sensor to be registered. Toolkit. */
        NewSensor: {
            /** @description Local ID of the sensor, unique in the account. Toolkit. */
            clientUniqueId: components["schemas"]["LocalSensorId"];
            /**
             * @description Name of the device, 1 to 100 characters; the local ID if missing. Toolkit.
             * @example Roof, north side
             */
            name?: string;
            /** @description The client application of the sensor, one of the account's; optional when the account has only one. Toolkit. */
            clientId?: string;
        };
        /** @description Requests the registration of sensors, all of them or none. Toolkit. */
        SensorRequestCreation: {
            /** @description The sensors, 1 to 1000. Toolkit. */
            sensors: components["schemas"]["NewSensor"][];
        };
        /** @description An altitude of a track above one datum, and how it is known. Toolkit. */
        AirAltitude: {
            /**
             * Format: double
             * @description Metres above the datum. Toolkit.
             */
            height: number;
            /** @description The datum from which the height is measured. Toolkit. */
            datum: components["schemas"]["AltitudeDatum"];
            /**
             * Format: double
             * @description Bound of the error in metres that holds with 95 % probability, if it is known: of a given altitude as the sensor stated it, of a derived one with the errors of the conversions. Toolkit.
             */
            accuracy?: number;
            /**
             * @description `given` by a sensor, or `derived` from an altitude above another datum. Toolkit.
             * @enum {string}
             */
            provenance: "given" | "derived";
            /** @description How a derived altitude was computed, for example `wgs84, EGM96`. Toolkit. */
            from?: string;
        };
        /**
         * @description What an aircraft says of its emergency, in the words of readsb: `general` (7700), `nordo`, no radio (7600), `unlawful` interference (7500), `lifeguard`, a medical flight, `minfuel`, low on fuel, `downed`, `reserved`. Toolkit.
         * @enum {string}
         */
        EmergencyState: "general" | "lifeguard" | "minfuel" | "nordo" | "unlawful" | "downed" | "reserved";
        /** @description What one sensor contributes to a track. Toolkit. */
        AirContribution: {
            /** @description URN of the sensor's device. Toolkit. */
            deviceId: components["schemas"]["Urn"];
            /** @description The sensor's own ID for the target, if it sends one. Toolkit. */
            sourceId?: string;
            /** @description How the sensor obtained its latest position, as it wrote it in `position.source`, such as `adsb_icao` or `mlat`. Missing if it wrote nothing, more than 32 characters, or others than printable ASCII. Toolkit. */
            positionSource?: string;
            /** @description Time of the latest position of this sensor that the track has. Toolkit. */
            lastSeen: components["schemas"]["Timestamp"];
            /** @description Number of positions of this sensor that the track has. Toolkit. */
            positions: number;
        };
        /** @description One target, as all sensors of the account see it together. Not for navigation. Toolkit. */
        AirTrack: {
            /** @description ID of the track, unique in the account. Toolkit. */
            id: string;
            /**
             * @description `tentative`: too few positions to be sure of a target; `live`; `coasting`: no position for some time, so that the track is predicted. Toolkit.
             * @enum {string}
             */
            state: "tentative" | "live" | "coasting";
            /** @description Kind of the target, if a sensor says it. Toolkit. */
            type?: components["schemas"]["TargetType"];
            /** @description Identifiers of the target, without duplicates, as the sensor wrote them; an ICAO address in upper case. Toolkit. */
            identifiers: components["schemas"]["Identifier"][];
            /** @description Time of the estimate: of the latest position that the track has, by the clock of its sensor. Toolkit. */
            time: components["schemas"]["Timestamp"];
            /** @description When the service received the latest position of the track. Toolkit. */
            receivedAt: components["schemas"]["Timestamp"];
            /** @description Estimated position; `accuracy` is the horizontal error in metres that is not exceeded with 95 % probability. Toolkit. */
            position: components["schemas"]["GeographicPosition"];
            /** @description The latest altitudes at the time of the estimate, at most one for each datum. One that was reported before is carried on with the vertical rate. Empty if no sensor gave an altitude. Toolkit. */
            altitudes: components["schemas"]["AirAltitude"][];
            /** @description Estimated velocity over ground, missing until it is known; `horizontalAccuracy` is the error in m/s that is not exceeded with 95 % probability. Toolkit. */
            groundVelocity?: components["schemas"]["GeographicVector"];
            /** @description True if the latest position says that the target is on the ground, and its speed and height allow that. Toolkit. */
            onGround?: boolean;
            /**
             * @description The transponder's code, from `squawk` in `target.additionalInfo` of the latest position that has it. Toolkit.
             * @example 2631
             * @example 7700
             */
            squawk?: string;
            /** @description From `emergency` in `target.additionalInfo`, or from the codes 7500, 7600 and 7700. Missing without an emergency. Toolkit. */
            emergency?: components["schemas"]["EmergencyState"];
            /** @description The sensors that contribute, latest first, at most 16. Toolkit. */
            sensors: components["schemas"]["AirContribution"][];
            /** @description Number of positions that the track has. Toolkit. */
            positions: number;
        };
        /** @description The tracks of the account at one moment. Toolkit. */
        AirTrackList: {
            /**
             * @description Stands wherever the air picture is shown. Toolkit.
             * @constant
             */
            notice: "Not for navigation";
            /** @description Time of the picture when the answer began. Tracks may be newer. Toolkit. */
            time: components["schemas"]["Timestamp"];
            /** @description The tracks, sorted by ID. Toolkit. */
            data: components["schemas"]["AirTrack"][];
            /** @description True if there are more tracks, because of `limit` or because an answer ends when it has reached 16 MiB; `after` continues it. Toolkit. */
            truncated: boolean;
        };
        /** @description A point of a track's history: a position that the track took. Toolkit. */
        AirTrackPoint: {
            /** @description Time of the position, by the clock of its sensor. Toolkit. */
            time: components["schemas"]["Timestamp"];
            /** @description URN of the device that reported it. Toolkit. */
            deviceId: components["schemas"]["Urn"];
            /** @description The position, as reported. Toolkit. */
            position: components["schemas"]["GeographicPosition"];
            /** @description The altitude that the map shows: above mean sea level if that is known. Toolkit. */
            altitude?: components["schemas"]["Height"];
        };
        /** @description Why positions of a sensor belong to a track. Toolkit. */
        AirAssociation: {
            /** @description Time of the position that was decided on. Toolkit. */
            time: components["schemas"]["Timestamp"];
            /** @description URN of the device that reported it. Toolkit. */
            deviceId: components["schemas"]["Urn"];
            /** @description The sensor's own ID for the target, if it sends one. Toolkit. */
            sourceId?: string;
            /**
             * @description `started`: no track fits, so a new one begins; `identifier`: the track has the same identifier; `source`: the sensor reported the same target before; `gate`: position, altitude and velocity agree within their accuracies; `merged`: two tracks turned out to be one target; `split`: a track turned out to be two targets. Toolkit.
             * @enum {string}
             */
            reason: "started" | "identifier" | "source" | "gate" | "merged" | "split";
            /** @description The identifier that decided. Toolkit. */
            identifier?: components["schemas"]["Identifier"];
            /**
             * Format: double
             * @description Statistical distance between the position and the prediction of the track: the square root of the normalised innovation squared, without a unit. Toolkit.
             */
            gateDistance?: number;
            /**
             * Format: double
             * @description Horizontal distance between the position and the prediction of the track. Toolkit.
             */
            horizontalMetres?: number;
            /**
             * Format: double
             * @description Vertical distance, if both altitudes are known. Toolkit.
             */
            verticalMetres?: number;
            /** @description The other track: the one that was merged or split, or the nearest one that did not fit. Toolkit. */
            otherTrackId?: string;
            /** @description The reason as a sentence. Toolkit. */
            text: string;
        };
        /** @description A track with its history, and why its positions belong together. Toolkit. */
        AirTrackDetail: {
            /**
             * @description Stands wherever the air picture is shown. Toolkit.
             * @constant
             */
            notice: "Not for navigation";
            /** @description The track. Toolkit. */
            track: components["schemas"]["AirTrack"];
            /** @description Points of the track, oldest first. Old points are thinned out. Toolkit. */
            history: components["schemas"]["AirTrackPoint"][];
            /** @description The decisions that joined sensors and identifiers to the track, newest first. A decision that only confirms an earlier one is not repeated. Toolkit. */
            associations: components["schemas"]["AirAssociation"][];
        };
        /** @description Where a target was. Toolkit. */
        AirPath: {
            /** @description ID of the track, unique in the account. Toolkit. */
            id: string;
            /** @description Kind of the target, if a sensor says it. Toolkit. */
            type?: components["schemas"]["TargetType"];
            /** @description Identifiers of the target, as in its track. Toolkit. */
            identifiers: components["schemas"]["Identifier"][];
            /** @description URNs of the devices that reported the target. Toolkit. */
            deviceIds: components["schemas"]["Urn"][];
            /** @description True if the track has ended, so that it is not in the list of tracks. Toolkit. */
            ended: boolean;
            /** @description Oldest first. Each is longitude and latitude in degrees, seconds before `time`, and the height in metres if it is known: above mean sea level if a sensor gives that. Points are at least 5 s apart, further if there are many targets. Toolkit. */
            points: number[][];
        };
        /** @description Where the targets of the account were in a time window. Toolkit. */
        AirHistory: {
            /**
             * @description Stands wherever the air picture is shown. Toolkit.
             * @constant
             */
            notice: "Not for navigation";
            /** @description Time of the picture: the end of the window. Toolkit. */
            time: components["schemas"]["Timestamp"];
            /** @description Start of the window. Toolkit. */
            since: components["schemas"]["Timestamp"];
            /** @description The tracks that have a point in the window and in the box, sorted by ID. Toolkit. */
            data: components["schemas"]["AirPath"][];
            /** @description True if there are more tracks than `limit`. Toolkit. */
            truncated: boolean;
        };
        /** @description The limits below which two tracks are in conflict. Toolkit. */
        AirSeparation: {
            /** @description Name of the preset that the limits come from. Toolkit. */
            preset: string;
            /**
             * Format: double
             * @description Horizontal limit. Toolkit.
             */
            horizontalMetres: number;
            /**
             * Format: double
             * @description Vertical limit. Toolkit.
             */
            verticalMetres: number;
            /**
             * Format: double
             * @description How far ahead a conflict is predicted. Toolkit.
             */
            lookAheadSeconds: number;
        };
        /** @description One of the two tracks of a conflict: what the prediction was computed from, and where it leads. Toolkit. */
        AirConflictTrack: {
            /** @description ID of the track. Toolkit. */
            trackId: string;
            /** @description Time of the estimate. Toolkit. */
            time: components["schemas"]["Timestamp"];
            /** @description Estimated position. Toolkit. */
            position: components["schemas"]["GeographicPosition"];
            /** @description The altitude that was compared. Toolkit. */
            altitude?: components["schemas"]["AirAltitude"];
            /** @description Estimated velocity. Toolkit. */
            groundVelocity?: components["schemas"]["GeographicVector"];
            /** @description Predicted position at the closest approach. Toolkit. */
            closestPosition: components["schemas"]["GeographicPosition"];
        };
        /** @description The smallest change of one kind by one track that restores separation, or that no such change exists. Not for navigation. Toolkit. */
        AirAdvice: {
            /**
             * @description What changes: `heading`, `speed` or `level`; `none`: no change of any kind, within what such an aircraft can do, restores separation from every track in view. Toolkit.
             * @enum {string}
             */
            kind: "heading" | "speed" | "level" | "none";
            /** @description ID of the track that changes. Toolkit. */
            trackId?: string;
            /**
             * Format: double
             * @description Change of heading, clockwise positive, from -180 to 180. Toolkit.
             */
            turnDegrees?: number;
            /**
             * Format: double
             * @description Change of the speed over ground. Toolkit.
             */
            speedChangeMetresPerSecond?: number;
            /**
             * Format: double
             * @description Change of altitude, up positive. Toolkit.
             */
            levelChangeMetres?: number;
            /** @description The advice as a sentence. Toolkit. */
            text: string;
        };
        /** @description A predicted loss of separation between two tracks. Toolkit. */
        AirConflict: {
            /** @description The limits that the prediction violates. Toolkit. */
            limits: components["schemas"]["AirSeparation"];
            /**
             * Format: double
             * @description Time to the closest approach, counted from `updatedAt`; 0 if the tracks move apart already. Toolkit.
             */
            timeToClosestSeconds: number;
            /** @description When the tracks are closest. Toolkit. */
            closestAt: components["schemas"]["Timestamp"];
            /**
             * Format: double
             * @description Predicted horizontal distance at the closest approach. Toolkit.
             */
            horizontalMetres: number;
            /** @description Predicted vertical distance at the closest approach; null if the altitudes cannot be compared, so that the tracks may be level. Toolkit. */
            verticalMetres: number | null;
            /** @description The two tracks, exactly two. Toolkit. */
            tracks: components["schemas"]["AirConflictTrack"][];
            /** @description Changes that restore separation, smallest first. Toolkit. */
            advice: components["schemas"]["AirAdvice"][];
        };
        /** @description A track that is in an area or is predicted to enter it. Toolkit. */
        AirAreaEntry: {
            /** @description ID of the area. Toolkit. */
            areaId: string;
            /** @description Name of the area. Toolkit. */
            areaName: string;
            /** @description ID of the track. Toolkit. */
            trackId: string;
            /** @description True if the track is not in the area yet. Toolkit. */
            predicted: boolean;
            /**
             * Format: double
             * @description Time to the predicted entry, counted from `updatedAt`; 0 if the track is in the area. Toolkit.
             */
            secondsToEntry: number;
            /** @description Where the track enters, or is. Toolkit. */
            position?: components["schemas"]["GeographicPosition"];
        };
        /** @description A sensor that sends no positions any more. Toolkit. */
        AirSilentSensor: {
            /** @description URN of the sensor's device. Toolkit. */
            deviceId: components["schemas"]["Urn"];
            /** @description When its last report was received. Toolkit. */
            lastSeen: components["schemas"]["Timestamp"];
        };
        /** @description One identifier in two places. Toolkit. */
        AirIdentityConflict: {
            /** @description The identifier that both targets have. Toolkit. */
            identifier: components["schemas"]["Identifier"];
            /** @description The two tracks, exactly two. Toolkit. */
            trackIds: string[];
            /**
             * Format: double
             * @description Distance between the tracks. Toolkit.
             */
            distanceMetres: number;
        };
        /** @description A sensor whose clock is wrong. Toolkit. */
        AirSensorClock: {
            /** @description URN of the sensor's device. Toolkit. */
            deviceId: components["schemas"]["Urn"];
            /**
             * Format: double
             * @description By how much the clock is ahead, about; negative if it is behind. Toolkit.
             */
            offsetSeconds: number;
        };
        /** @description A target that reports an emergency. Toolkit. */
        AirEmergency: {
            /** @description ID of the track. Toolkit. */
            trackId: string;
            /** @description What it reports. Toolkit. */
            emergency: components["schemas"]["EmergencyState"];
            /**
             * @description The transponder's code, if it is known. Toolkit.
             * @example 2631
             * @example 7700
             */
            squawk?: string;
        };
        /** @description Something in the air picture that a person should look at. The member named after `kind` has the details. Not for navigation. Toolkit. */
        AirAlert: {
            /** @description ID of the alert, unique in the account. Toolkit. */
            id: string;
            /**
             * @description What it is about. Toolkit.
             * @enum {string}
             */
            kind: "conflict" | "area" | "silentSensor" | "identityConflict" | "sensorClock" | "emergency";
            /**
             * @description `active` until its cause is gone. Toolkit.
             * @enum {string}
             */
            state: "active" | "ended";
            /** @description When it was raised. Toolkit. */
            raisedAt: components["schemas"]["Timestamp"];
            /** @description When it last changed. Toolkit. */
            updatedAt: components["schemas"]["Timestamp"];
            /** @description When it ended; null while it is active. Toolkit. */
            endedAt: components["schemas"]["Timestamp"] | null;
            /** @description The alert as a sentence. Toolkit. */
            text: string;
            /** @description For `conflict`. Toolkit. */
            conflict?: components["schemas"]["AirConflict"];
            /** @description For `area`. Toolkit. */
            area?: components["schemas"]["AirAreaEntry"];
            /** @description For `silentSensor`. Toolkit. */
            silentSensor?: components["schemas"]["AirSilentSensor"];
            /** @description For `identityConflict`. Toolkit. */
            identityConflict?: components["schemas"]["AirIdentityConflict"];
            /** @description For `sensorClock`. Toolkit. */
            sensorClock?: components["schemas"]["AirSensorClock"];
            /** @description For `emergency`. Toolkit. */
            emergency?: components["schemas"]["AirEmergency"];
        };
        /** @description The alerts of the account. Toolkit. */
        AirAlertList: {
            /**
             * @description Stands wherever the air picture is shown. Toolkit.
             * @constant
             */
            notice: "Not for navigation";
            /** @description Time of the picture. Toolkit. */
            time: components["schemas"]["Timestamp"];
            /** @description The active alerts, newest first, then those that ended in the last hour, at most 1,000 in all. Toolkit. */
            data: components["schemas"]["AirAlert"][];
            /** @description How many conditions are no alerts, because there are 1,000 already, or more than 250 began at once. Missing: none. Toolkit. */
            more?: number;
        };
        /** @description A time in which an area is active. Toolkit. */
        AirAreaTime: {
            /** @description Start. Toolkit. */
            from: components["schemas"]["Timestamp"];
            /** @description End. Toolkit. */
            to: components["schemas"]["Timestamp"];
        };
        /** @description What is known of an area besides its shape. Toolkit. */
        AirAreaProperties: {
            /** @description Name of the area, 1 to 100 characters without control characters. Toolkit. */
            name: string;
            /** @description Lower limit; from the ground if missing. Toolkit. */
            floor?: components["schemas"]["Height"];
            /** @description Upper limit; without an upper limit if missing. Toolkit. */
            ceiling?: components["schemas"]["Height"];
            /** @description When the area is active; always if missing. Toolkit. */
            active?: components["schemas"]["AirAreaTime"][];
        };
        /** @description A GeoJSON Polygon (RFC 7946, section 3.1.6), WGS 84. Toolkit. */
        AirAreaGeometry: {
            /**
             * @description The type of the geometry; several shapes are several areas. Toolkit.
             * @constant
             */
            type: "Polygon";
            /** @description The outer ring, then holes. Each ring is closed: its last position is its first. A shape across longitude 180 is cut there (RFC 7946, section 3.1.9). Toolkit. */
            coordinates: number[][][];
        };
        /** @description An area that is watched: a GeoJSON Feature. Toolkit. */
        AirArea: {
            /**
             * @description The GeoJSON type. Toolkit.
             * @constant
             */
            type: "Feature";
            /** @description ID of the area, chosen by the user, unique in the list. Toolkit. */
            id: string;
            /** @description Name, limits and times. Toolkit. */
            properties: components["schemas"]["AirAreaProperties"];
            /** @description The shape. Toolkit. */
            geometry: components["schemas"]["AirAreaGeometry"];
        };
        /** @description The areas that are watched: a GeoJSON FeatureCollection. Toolkit. */
        AirAreaList: {
            /**
             * @description The GeoJSON type. Toolkit.
             * @constant
             */
            type: "FeatureCollection";
            /** @description The areas. Toolkit. */
            features: components["schemas"]["AirArea"][];
        };
        /** @description How far the positions of a sensor are off, as the tracks of other sensors show. Toolkit. */
        AirPlaceOffset: {
            /**
             * Format: double
             * @description To the east. Toolkit.
             */
            eastMetres: number;
            /**
             * Format: double
             * @description To the north. Toolkit.
             */
            northMetres: number;
        };
        /** @description A sensor in the air picture. Toolkit. */
        AirSensor: {
            /** @description URN of the sensor's device. Toolkit. */
            deviceId: components["schemas"]["Urn"];
            /**
             * @description `silent`: no report for longer than usual for this sensor. Toolkit.
             * @enum {string}
             */
            state: "live" | "silent";
            /** @description Position of the sensor, if it reports it. Toolkit. */
            position?: components["schemas"]["GeographicPosition"];
            /** @description When its last report was received. Toolkit. */
            lastSeen: components["schemas"]["Timestamp"];
            /**
             * Format: double
             * @description Positions in the last minute. Toolkit.
             */
            positionsPerMinute: number;
            /**
             * Format: double
             * @description Median time from the measurement of a position (its time less its `age`) to its reception, in the last minute. Negative if the clock of the sensor is ahead. Toolkit.
             */
            lagSeconds: number;
            /**
             * Format: double
             * @description By how much the clock of the sensor is ahead, as targets show that other sensors report, too; negative if it is behind. The picture has corrected it. Missing while it is not known, or too small to matter. Toolkit.
             */
            clockOffsetSeconds?: number;
            /** @description How far its positions are off. The picture has corrected them. Missing while it is not known, or too small to matter. Toolkit. */
            placeOffset?: components["schemas"]["AirPlaceOffset"];
            /**
             * Format: double
             * @description How far the bearings of a sensor that reports its own position are too far clockwise, as targets show that other sensors report, too; negative if they are too far anticlockwise. The picture has corrected them. Missing while it is not known, or too small to matter. Toolkit.
             */
            azimuthOffsetDegrees?: number;
            /**
             * Format: double
             * @description How far its ranges from there are too long; negative if they are too short. The picture has corrected them. Missing while it is not known, or too small to matter. Toolkit.
             */
            rangeOffsetMetres?: number;
        };
        /** @description The sensors of the account that contribute to the air picture. A sensor that has never reported is not listed. Toolkit. */
        AirSensorList: {
            /** @description The sensors, sorted by device ID. Toolkit. */
            data: components["schemas"]["AirSensor"][];
        };
        /** @description The air picture, or what changed in it: the data of an event of `followAir`. Toolkit. */
        AirFrame: {
            /**
             * @description Stands wherever the air picture is shown. Toolkit.
             * @constant
             */
            notice: "Not for navigation";
            /** @description Time of the picture. Toolkit. */
            time: components["schemas"]["Timestamp"];
            /** @description True if this is the whole picture; what it does not have is gone. False if it is what changed since the event before. Toolkit. */
            full: boolean;
            /** @description Tracks that began or changed, or all tracks. Toolkit. */
            tracks: components["schemas"]["AirTrack"][];
            /** @description IDs of tracks that ended, were merged into others, or left the box of `bbox`. The client may not have had them. Toolkit. */
            ended: string[];
            /** @description Alerts that were raised, updated or ended, or all active ones. Toolkit. */
            alerts: components["schemas"]["AirAlert"][];
            /** @description How many conditions are no alerts, as `more` of `listAirAlerts`. Missing: none. Toolkit. */
            moreAlerts?: number;
            /** @description Sensors that changed, or all of them. Toolkit. */
            sensors: components["schemas"]["AirSensor"][];
            /** @description The areas, when they were set and in a whole picture. Toolkit. */
            areas?: components["schemas"]["AirAreaList"];
        };
        /** @description A track in the format of readsb. Members that are not known are missing. Toolkit. */
        ReadsbAircraft: {
            /**
             * @description The ICAO address in lower case. For a track without one, `~` and six hexadecimal digits: the address that a sensor gave the target, if no other track has the same; otherwise digits that stay the same while the track lives. Toolkit.
             * @example 461f9c
             * @example ~00001f
             */
            hex: string;
            /** @description The best source of the positions of the last 30 s, as the sensors say it in `position.source`, in the words of readsb: `adsb_icao`, `adsb_icao_nt`, `adsr_icao`, `tisb_icao`, `adsc`, `mlat`, `mode_s`; without an ICAO address `adsb_other`, `adsr_other`, `tisb_other`, `tisb_trackfile`. `other` if no sensor says one of these. Toolkit. */
            type: string;
            /** @description Call sign in upper case, padded with spaces to 8 characters. Missing if it has other characters than letters, digits, spaces, `.` and `-`. Toolkit. */
            flight?: string;
            /** @description Registration, or the serial number of a drone without one, in upper case. Missing if it has other characters than letters, digits and `-`. Toolkit. */
            r?: string;
            /** @description Pressure altitude in feet, or `ground`. Toolkit. */
            alt_baro?: number | "ground";
            /**
             * Format: double
             * @description Altitude above the WGS 84 ellipsoid in feet. Toolkit.
             */
            alt_geom?: number;
            /**
             * @description The transponder's code. Toolkit.
             * @example 2631
             * @example 7700
             */
            squawk?: string;
            /** @description Missing without an emergency. Toolkit. */
            emergency?: components["schemas"]["EmergencyState"];
            /**
             * Format: double
             * @description Ground speed in knots. Toolkit.
             */
            gs?: number;
            /**
             * Format: double
             * @description True track over ground in degrees, 0 to below 360. Missing below 0.5 m/s. Toolkit.
             */
            track?: number;
            /**
             * Format: double
             * @description Vertical rate in feet per minute, if the altitude is a pressure altitude. Toolkit.
             */
            baro_rate?: number;
            /**
             * Format: double
             * @description Vertical rate in feet per minute, if the altitude is geometric. Toolkit.
             */
            geom_rate?: number;
            /** @description Emitter category: `B6` for a drone. Toolkit. */
            category?: string;
            /**
             * Format: double
             * @description Latitude in degrees. Toolkit.
             */
            lat: number;
            /**
             * Format: double
             * @description Longitude in degrees. Toolkit.
             */
            lon: number;
            /**
             * Format: double
             * @description Seconds since the position, counted back from `now`. Toolkit.
             */
            seen_pos: number;
            /**
             * Format: double
             * @description Seconds since the latest reception, counted back from `now`. Toolkit.
             */
            seen: number;
            /** @description Number of positions. Toolkit. */
            messages: number;
            /**
             * Format: double
             * @description Always -49.5: a track has no signal strength. Toolkit.
             */
            rssi: number;
        };
        /** @description The tracks in the format of readsb `aircraft.json`. Toolkit. */
        ReadsbAircraftList: {
            /**
             * Format: double
             * @description When this answer was made, in seconds since 1970. Toolkit.
             */
            now: number;
            /** @description Number of positions of all tracks. It may fall, when tracks end. Toolkit. */
            messages: number;
            /**
             * @description Stands wherever the air picture is shown. Toolkit.
             * @constant
             */
            notice?: "Not for navigation";
            /** @description The tracks whose position is at most a minute old; of more than 10,000 the first ones by their ids. Toolkit. */
            aircraft: components["schemas"]["ReadsbAircraft"][];
        };
        /** @description A GeoJSON Point. Toolkit. */
        AirTrackGeometry: {
            /**
             * @description The type of the geometry. Toolkit.
             * @constant
             */
            type: "Point";
            /** @description Longitude, latitude and, if it is known, the height above the WGS 84 ellipsoid in metres. Toolkit. */
            coordinates: number[];
        };
        /** @description A track as a GeoJSON Feature. Toolkit. */
        AirTrackFeature: {
            /**
             * @description The GeoJSON type. Toolkit.
             * @constant
             */
            type: "Feature";
            /** @description ID of the track. Toolkit. */
            id: string;
            /** @description The estimated position. Toolkit. */
            geometry: components["schemas"]["AirTrackGeometry"];
            /** @description The track, and its name. Toolkit. */
            properties: components["schemas"]["AirTrack"] & {
                /** @description What to call the target: its call sign, registration, address or serial number, else the ID of the track. Letters, digits, spaces and `._:/+-` only. Toolkit. */
                name: string;
            };
        };
        /** @description The tracks as a GeoJSON FeatureCollection (RFC 7946). Toolkit. */
        AirTrackCollection: {
            /**
             * @description The GeoJSON type. Toolkit.
             * @constant
             */
            type: "FeatureCollection";
            /**
             * @description Stands wherever the air picture is shown. Toolkit.
             * @constant
             */
            notice: "Not for navigation";
            /** @description Time of the picture. Toolkit. */
            time: components["schemas"]["Timestamp"];
            /** @description True if there are more tracks, because `limit` or the largest size of an answer was reached. A foreign member of RFC 7946. Toolkit. */
            truncated: boolean;
            /** @description The tracks, sorted by ID. Toolkit. */
            features: components["schemas"]["AirTrackFeature"][];
        };
        /** @description The process runs. Toolkit, for supervisors. */
        Health: {
            /**
             * @description Always `ok`. Toolkit.
             * @constant
             */
            status: "ok";
        };
        /** @description Readiness check. Toolkit, for load balancers. */
        Readiness: {
            /**
             * @description `ready` with 200, `not_ready` with 503. Toolkit.
             * @enum {string}
             */
            status: "ready" | "not_ready";
            /** @description Why the process is not ready, for example `starting`, `draining`, `store_unavailable`; empty if it is ready. Of a storage with parts also which is away: `service_part_away`, `all_partitions_away`. Toolkit. */
            reasons: string[];
        };
        /** @description Name and version. Toolkit, for support. */
        Version: {
            /** @description Name of the software, `posrep-server`. Toolkit. */
            name: string;
            /**
             * @description Version of the software. Toolkit.
             * @example 0.1.0
             */
            version: string;
        };
    };
    responses: {
        /** @description The request is not valid: a field is missing or wrong, the code was already used or has expired, or the client is not registered for the scope or the grant. Toolkit, RFC 6749 § 5.2. */
        OAuthBadRequest: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The form is larger than 64 KiB or has more than 100 fields. Toolkit. */
        OAuthPayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description Too many failed client authentications from this address; a correct secret is still accepted. Toolkit. */
        OAuthTooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The request could not be processed; the presented code or token stays valid. Toolkit. */
        OAuthServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The client could not be authenticated. Toolkit, RFC 6749 § 5.2. */
        OAuthUnauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The request could not be processed, because the storage does not respond or the process is stopping; nothing was changed. Toolkit, as the specification states for the ingest. */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No access token, or one that is expired, revoked or of the wrong kind: refresh it and retry once. Specification § Errors, "any API request with a bearer access token". */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The token lacks the scope `surveillance_api`. Toolkit, RFC 6750 § 3.1. */
        Forbidden: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A rate limit is reached; `Retry-After` has the time to wait. Toolkit, the specification shows no rate limits. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request does not match this document; `errors` lists what is wrong. Toolkit. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description It does not exist in this account. The same response for a record of another account. Toolkit. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request conflicts with the current state: a sensor with this local ID is being paired in another account, another account had the local ID first and no operator has allowed the pairing, the relay is not Active, a new relay address did not pass the validation, or a message cannot be resent. Toolkit. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than 1 MiB after decompression. Toolkit, the specification shows no maximum. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The media type is not `application/json` in UTF-8, or the content encoding is not gzip, deflate or br. Toolkit. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description The pairing request, by its ID, 1 to 128 characters. Toolkit.
         * @example pr_4Jm2Zk8Qx1
         */
        PairingRequestId: string;
        /**
         * @description The device, by its URN, percent-encoded or raw. Specification § Surveillance out. 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
         * @example urn:aa:device:acme:roof1
         */
        DeviceUrn: string;
        /**
         * @description The device, by its ID. Specification § Surveillance out. The ID is the URN, percent-encoded or raw; 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
         * @example urn:aa:device:acme:roof1
         */
        DeviceId: string;
        /**
         * @description The delivery, by its ID, 1 to 128 characters. Toolkit.
         * @example dl_4711
         */
        DeliveryId: string;
        /**
         * @description Only tracks in this box: west, south, east, north in degrees. West may be greater than east, for a box across longitude 180. Toolkit.
         * @example 24.0,60.0,26.0,61.0
         */
        BoundingBox: string;
        /**
         * @description Only tracks whose ID sorts after this one, 1 to 64 characters: the last ID of an answer that did not have all tracks. Toolkit.
         * @example t1f
         */
        AfterTrack: string;
        /**
         * @description ID of a track. Toolkit.
         * @example t1f
         */
        TrackId: string;
        /**
         * @description ID of the message: the URN of the device, a `/`, and a hash of the report; the same on every attempt. In the URN, all characters except letters, digits, `:` and `-` are percent-encoded, so that the ID has no `.`. The signature covers it, so it proves whose message it is. Toolkit, Standard Webhooks.
         * @example urn:aa:device:acme:roof1/2KWPBgLlAfxdpx2AI54pPJ85f4Wz1eT0q9sXcV3bN7M
         */
        WebhookId: string;
        /**
         * @description Time of the attempt, seconds since 1970-01-01 UTC. Toolkit, Standard Webhooks.
         * @example 1767787231
         */
        WebhookTimestamp: string;
        /**
         * @description Space separated `v1a,<base64>`: Ed25519 over `<id>.<timestamp>.<body>`, with a key of the key set. Verification is optional for receivers. Toolkit, Standard Webhooks.
         * @example v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==
         */
        WebhookSignature: string;
        /**
         * @description W3C Trace Context: the trace of the request that submitted the report, if it had one, with a new parent ID for each attempt. Missing if the report was not yet processed when its process ended. Toolkit.
         * @example 00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01
         */
        TraceParent: string;
        /**
         * @description W3C Trace Context: the `tracestate` that was submitted with a valid `traceparent`. Toolkit.
         * @example vendor=00f067aa0ba902b7
         */
        TraceState: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The redirect URI with `code` and, if it was sent, `state`. Specification § Identity provider. Also with `iss`; on a failure, with `error` instead of `code` (toolkit, RFC 9207 and RFC 6749 § 4.1.2.1).
         * @example https://localhost:9443/callback?code=%3CCODE%3E&state=b7f3&iss=https%3A%2F%2Flocalhost%3A8443
         */
        Location: string;
        /**
         * @description Seconds to wait before the next attempt, 0 or more. Toolkit, RFC 9110 § 10.2.3.
         * @example 1
         */
        RetryAfter: number;
        /**
         * @description Always `no-store`. Toolkit, RFC 6749 § 5.1.
         * @example no-store
         */
        CacheControl: string;
        /**
         * @description How to authenticate. Toolkit, RFC 9110 § 11.6.1 and RFC 6750 § 3.
         * @example Bearer realm="posrep", error="invalid_token"
         */
        WwwAuthenticate: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    authorize: {
        parameters: {
            query: {
                /**
                 * @description Client ID of the application. Specification § Authorization request parameters.
                 * @example map-view
                 */
                client_id: string;
                /**
                 * @description Must be `code`. Specification § Authorization request parameters.
                 * @example code
                 */
                response_type: "code";
                /**
                 * @description Space separated scopes, the space encoded as %20. Specification § Authorization request parameters.
                 * @example surveillance_api
                 */
                scope: string;
                /**
                 * @description Must exactly match one registered redirect URI, must use SSL, and is not URL encoded (a URL encoded value is also accepted). Specification § Authorization request parameters.
                 * @example https://localhost:9443/callback
                 */
                redirect_uri: string;
                /**
                 * @description Returned on the callback, to correlate requests and to reject unsolicited callbacks. An empty value is treated as missing; one of more than 2,048 bytes (UTF-8) is redirected with `invalid_request` and is not returned (toolkit). Specification § Authorization request parameters.
                 * @example b7f3
                 */
                state?: string;
                /**
                 * @description PKCE: base64url of the SHA-256 of the code verifier, 43 characters; a public client must send it. Toolkit, RFC 7636 § 4.3.
                 * @example E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM
                 */
                code_challenge?: string;
                /**
                 * @description Must be `S256` if `code_challenge` is sent; `plain` is refused. Toolkit, RFC 7636 § 4.3.
                 * @example S256
                 */
                code_challenge_method?: string;
                /**
                 * @description The callback's parameters are always in its query; every other mode is redirected with `invalid_request`. Toolkit.
                 * @example query
                 */
                response_mode?: "query";
                /**
                 * @description Space separated. `login` and `select_account` ask for the password also when a user is signed in. `none` is redirected with `interaction_required`, because the user must always approve. `consent` and other values change nothing. Toolkit.
                 * @example login
                 */
                prompt?: string;
                /**
                 * @description E-mail address that the sign-in page offers; ignored if it has more than 254 characters. It does not sign out a user who is signed in with another one. Toolkit.
                 * @example pilot@example.com
                 */
                login_hint?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The login or approval page. Specification § Identity provider. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html><title>Sign in</title> */
                    "text/html": string;
                };
            };
            /** @description Redirect to the redirect URI, with `code` or (toolkit) with `error`. Specification § Identity provider. */
            302: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The same redirect after a form was sent. Toolkit, so that the browser does not send the form to the client. */
            303: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error page, never a redirect, because the client or the redirect URI is unknown. Toolkit, RFC 6749 § 4.1.2.1. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html><title>Unknown application</title> */
                    "text/html": string;
                };
            };
            /** @description An error page; the request could not be processed. Toolkit. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html><title>Try again</title> */
                    "text/html": string;
                };
            };
        };
    };
    issueToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description The tokens. Specification § Token response. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            /** @description Refresh grant: the refresh token is no longer valid, the user must log in again. Specification § Errors. Every grant: the client could not be authenticated (toolkit, RFC 6749 § 5.2). */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            413: components["responses"]["OAuthPayloadTooLarge"];
            429: components["responses"]["OAuthTooManyRequests"];
            503: components["responses"]["OAuthServiceUnavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["RevocationRequest"];
            };
        };
        responses: {
            /** @description The token is no longer valid. The body is an empty JSON object, because some libraries reject an empty body. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            401: components["responses"]["OAuthUnauthorized"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            429: components["responses"]["OAuthTooManyRequests"];
            503: components["responses"]["OAuthServiceUnavailable"];
        };
    };
    signOut: {
        parameters: {
            query: {
                /**
                 * @description Client ID of the application. Toolkit.
                 * @example map-view
                 */
                client_id: string;
                /**
                 * @description Where to return to. Must match a registered redirect URI, as in the authorize operation. Toolkit.
                 * @example https://localhost:9443/callback
                 */
                post_logout_redirect_uri: string;
                /**
                 * @description Returned to the application, if it has at most 2,048 bytes. Toolkit.
                 * @example b7f3
                 */
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page that asks the user whether to sign out. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html><title>Sign out</title> */
                    "text/html": string;
                };
            };
            /** @description Nobody is signed in; redirect to the application, with `state` if it was sent. Toolkit. */
            302: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error page, never a redirect, because the client or the address is unknown. Toolkit. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html><title>Unknown application</title> */
                    "text/html": string;
                };
            };
            /** @description An error page; the request could not be processed. Toolkit. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html><title>Try again</title> */
                    "text/html": string;
                };
            };
        };
    };
    getJwks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key set. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwkSet"];
                };
            };
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAuthorizationServerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizationServerMetadata"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user and the account. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedInUser"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    consumePairingToken: {
        parameters: {
            query: {
                /**
                 * @description The sensor's local unique ID, unique within the account. Specification § Surveillance ingest. Alphanumeric, unless the server uses the compat policy; a missing or malformed value is answered with 400 (toolkit).
                 * @example roof1
                 */
                clientUniqueId: components["schemas"]["LocalSensorId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Pairing token consumed. Specification § Errors, consume-token. Compact JSON, fields in the order shown (toolkit). */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PairingToken"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description No pairing request found for the clientUniqueId. Specification § Errors, consume-token. The same response for an unknown, expired or consumed request (toolkit). */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /** @description Request could not be processed. Specification § Errors, consume-token. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createPairingRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PairingRequestCreation"];
            };
        };
        responses: {
            /** @description The device can fetch its token now. Toolkit. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PairingRequest"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPairingRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The pairing request, by its ID, 1 to 128 characters. Toolkit.
                 * @example pr_4Jm2Zk8Qx1
                 */
                pairingRequestId: components["parameters"]["PairingRequestId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pairing request. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PairingRequest"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelPairingRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The pairing request, by its ID, 1 to 128 characters. Toolkit.
                 * @example pr_4Jm2Zk8Qx1
                 */
                pairingRequestId: components["parameters"]["PairingRequestId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pairing request has ended. Toolkit. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    submitPositionReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PositionReport"];
            };
        };
        responses: {
            /** @description Accepted; empty body. Specification § Errors, position-reports. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Invalid body: a required field is missing, `positions` is empty, or an altitude datum is not one of the accepted values. Specification § Errors, position-reports. Also any other violation of this document (toolkit). */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No valid authorization token. Specification § Errors, position-reports. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token's sensor ID differs from `sensor.id` in the body, or the token lacks the scope `surveillance_api`. Specification § Errors, position-reports. */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            /** @description Request could not be processed. Specification § Errors, position-reports. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDevices: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of devices, 1 to 1000; all if missing. Toolkit.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description Only devices whose ID sorts after this one, 1 to 1024 characters. Toolkit.
                 * @example urn:aa:device:acme:roof1
                 */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The devices. Specification § Surveillance out; the status is the toolkit's. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its URN, percent-encoded or raw. Specification § Surveillance out. 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceUrn: components["parameters"]["DeviceUrn"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The device. Specification § Surveillance out; the status is the toolkit's. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeDevice: {
        parameters: {
            query?: {
                /**
                 * @description True leaves the local ID to other accounts at once, such as that of the sensor's new owner. Toolkit.
                 * @example false
                 */
                releaseLocalId?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The device, by its URN, percent-encoded or raw. Specification § Surveillance out. 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceUrn: components["parameters"]["DeviceUrn"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The device is removed. Toolkit. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its URN, percent-encoded or raw. Specification § Surveillance out. 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceUrn: components["parameters"]["DeviceUrn"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceChange"];
            };
        };
        responses: {
            /** @description The device after the change. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRecentReports: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of reports, 1 to 10000; all if missing. The response has fewer when they are larger than about 8 MiB. Toolkit.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description The `next` of an earlier response, to get the reports that follow. Toolkit.
                 * @example 4711.100.350000
                 */
                after?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The device, by its ID. Specification § Surveillance out. The ID is the URN, percent-encoded or raw; 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceId: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reports. Specification § Surveillance out; the status is the toolkit's. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecentPositionReportList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    toggleStoringPositionReports: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its URN, percent-encoded or raw. Specification § Surveillance out. 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceUrn: components["parameters"]["DeviceUrn"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new value of the storage flag. Specification § Surveillance out; the status is the toolkit's. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateRelay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its ID. Specification § Surveillance out. The ID is the URN, percent-encoded or raw; 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceId: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RelayUpdate"];
            };
        };
        responses: {
            /** @description The device, with `relayDetails` reflecting the update and `positionReportMetrics` null. Specification § Surveillance out; the status is the toolkit's. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeRelayAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its ID. Specification § Surveillance out. The ID is the URN, percent-encoded or raw; 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceId: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RelayAddress"];
            };
        };
        responses: {
            /** @description The device with its new relay; `positionReportMetrics` is null. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendTestMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its ID. Specification § Surveillance out. The ID is the URN, percent-encoded or raw; 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceId: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message and the outcome of the attempt. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retryRelay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its ID. Specification § Surveillance out. The ID is the URN, percent-encoded or raw; 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceId: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next attempt begins within a second. Toolkit. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDeliverySummary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliverySummary"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Only deliveries in this state. Toolkit.
                 * @example buried
                 */
                state?: "pending" | "delivered" | "buried";
                /**
                 * @description The maximum number of deliveries per state, 1 to 200. Toolkit.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Only with `state` pending or buried: the deliveries after the one with this ID. Toolkit.
                 * @example dl_4711
                 */
                after?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The device, by its ID. Specification § Surveillance out. The ID is the URN, percent-encoded or raw; 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceId: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its ID. Specification § Surveillance out. The ID is the URN, percent-encoded or raw; 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceId: components["parameters"]["DeviceId"];
                /**
                 * @description The delivery, by its ID, 1 to 128 characters. Toolkit.
                 * @example dl_4711
                 */
                deliveryId: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resendDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its ID. Specification § Surveillance out. The ID is the URN, percent-encoded or raw; 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceId: components["parameters"]["DeviceId"];
                /**
                 * @description The delivery, by its ID, 1 to 128 characters. Toolkit.
                 * @example dl_4711
                 */
                deliveryId: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message is queued. Toolkit. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resendBuriedDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its ID. Specification § Surveillance out. The ID is the URN, percent-encoded or raw; 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceId: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many messages were queued, and how many are still buried. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResentDeliveries"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDeviceHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its URN, percent-encoded or raw. Specification § Surveillance out. 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceUrn: components["parameters"]["DeviceUrn"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The history. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceHistory"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeDeviceTokens: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device, by its URN, percent-encoded or raw. Specification § Surveillance out. 1 to 1024 characters; a value that is not a URN is answered with 404 (toolkit).
                 * @example urn:aa:device:acme:roof1
                 */
                deviceUrn: components["parameters"]["DeviceUrn"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tokens were revoked. Toolkit. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSensorRequests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requests. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SensorRequestList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createSensorRequests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SensorRequestCreation"];
            };
        };
        responses: {
            /** @description The requests, in the order of the sensors. Toolkit. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SensorRequestList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAirTracks: {
        parameters: {
            query?: {
                /**
                 * @description Only tracks in this box: west, south, east, north in degrees. West may be greater than east, for a box across longitude 180. Toolkit.
                 * @example 24.0,60.0,26.0,61.0
                 */
                bbox?: components["parameters"]["BoundingBox"];
                /**
                 * @description The maximum number of tracks, 1 to 10000. 2000 if missing. Toolkit.
                 * @example 500
                 */
                limit?: number;
                /**
                 * @description Only tracks whose ID sorts after this one, 1 to 64 characters: the last ID of an answer that did not have all tracks. Toolkit.
                 * @example t1f
                 */
                after?: components["parameters"]["AfterTrack"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tracks of the account. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AirTrackList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAirTrack: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description ID of a track. Toolkit.
                 * @example t1f
                 */
                trackId: components["parameters"]["TrackId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A track with its history. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AirTrackDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAirHistory: {
        parameters: {
            query?: {
                /**
                 * @description Only tracks in this box: west, south, east, north in degrees. West may be greater than east, for a box across longitude 180. Toolkit.
                 * @example 24.0,60.0,26.0,61.0
                 */
                bbox?: components["parameters"]["BoundingBox"];
                /**
                 * @description The length of the window, 1 to 600. 600 if missing. Toolkit.
                 * @example 240
                 */
                seconds?: number;
                /**
                 * @description The maximum number of tracks, 1 to 10000. 2000 if missing. Toolkit.
                 * @example 500
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where the targets were. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AirHistory"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAirAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alerts of the account. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AirAlertList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAirAreas: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The areas that are watched. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AirAreaList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setAirAreas: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The areas; they replace all earlier ones. Toolkit. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AirAreaList"];
            };
        };
        responses: {
            /** @description The areas as they are now. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AirAreaList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAirSensors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sensors in the air picture. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AirSensorList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    followAir: {
        parameters: {
            query?: {
                /**
                 * @description Only tracks in this box: west, south, east, north in degrees. West may be greater than east, for a box across longitude 180. Toolkit.
                 * @example 24.0,60.0,26.0,61.0
                 */
                bbox?: components["parameters"]["BoundingBox"];
            };
            header?: {
                /**
                 * @description The `id` of the last event that was received. Toolkit.
                 * @example 4711
                 */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 4711
                     *     event: frame
                     *     data: {"notice":"Not for navigation","time":"2026-01-07T12:00:31.000Z","full":false,"tracks":[],"ended":["t1a"],"alerts":[],"sensors":[]}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAirAircraft: {
        parameters: {
            query?: {
                /**
                 * @description Only tracks in this box: west, south, east, north in degrees. West may be greater than east, for a box across longitude 180. Toolkit.
                 * @example 24.0,60.0,26.0,61.0
                 */
                bbox?: components["parameters"]["BoundingBox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tracks in the format of readsb. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadsbAircraftList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAirTracksAsGeoJson: {
        parameters: {
            query?: {
                /**
                 * @description Only tracks in this box: west, south, east, north in degrees. West may be greater than east, for a box across longitude 180. Toolkit.
                 * @example 24.0,60.0,26.0,61.0
                 */
                bbox?: components["parameters"]["BoundingBox"];
                /**
                 * @description The maximum number of tracks, 1 to 10000. 2000 if missing. Toolkit.
                 * @example 500
                 */
                limit?: number;
                /**
                 * @description Only tracks whose ID sorts after this one, 1 to 64 characters: the last ID of an answer that did not have all tracks. Toolkit.
                 * @example t1f
                 */
                after?: components["parameters"]["AfterTrack"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tracks as GeoJSON. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": components["schemas"]["AirTrackCollection"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process runs. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process accepts requests. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description The process is starting or stopping, or its storage does not respond. Toolkit. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    getVersion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Version"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example # TYPE posrep_reports_total counter
                     *     posrep_reports_total{step="accepted"} 1204
                     */
                    "text/plain": string;
                };
            };
            /** @description The operator's token is missing or wrong. Toolkit. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not from a loopback address, and no token is set. Toolkit. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. Toolkit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
}
