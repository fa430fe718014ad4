-- The tables, for SQLite and PostgreSQL. Times are ISO 8601 in UTC, which sort as text. Each table has an index: its creation
-- fails, and with it the start, if a table of another program has the same name.

CREATE TABLE IF NOT EXISTS client (
	uuid TEXT PRIMARY KEY, -- Pluggy's clientUserId: opaque, never the document
	name TEXT NOT NULL,
	document TEXT NOT NULL, -- CPF or CNPJ, as it is shown
	is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)) -- 0: the firm works for them no longer
);
CREATE UNIQUE INDEX IF NOT EXISTS client_by_document ON client (document);

CREATE TABLE IF NOT EXISTS link (
	token_hash TEXT PRIMARY KEY, -- SHA-256 of the token, which is stored nowhere
	client TEXT NOT NULL REFERENCES client (uuid),
	widget_type TEXT NOT NULL CHECK (widget_type IN ('new', 'update', 'cancel')),
	item TEXT, -- the item to renew, for an update only
	item_updated_at TEXT, -- the item's updated_at when the last connect token was made
	created_at TEXT NOT NULL,
	expires_at TEXT NOT NULL,
	revoked_at TEXT, -- by the firm
	cancelled_at TEXT, -- the client cancelled: the consent that was given with this link is withdrawn, and it connects no more
	done_at TEXT,
	CHECK ((widget_type = 'update') = (item IS NOT NULL))
);
CREATE INDEX IF NOT EXISTS link_by_client ON link (client);

CREATE TABLE IF NOT EXISTS consent (
	link TEXT NOT NULL REFERENCES link (token_hash), -- with which it was given
	client TEXT NOT NULL REFERENCES client (uuid),
	firm TEXT NOT NULL, -- the id of the firm to which it was given: it is none to another
	given_at TEXT NOT NULL,
	evidence TEXT NOT NULL, -- the Consent-… headers, as JSON; the address in them is personal data
	request_id TEXT,
	PRIMARY KEY (link, firm)
);
CREATE INDEX IF NOT EXISTS consent_by_client ON consent (client);

-- A connection to a bank. It should exist at Pluggy as long as its consent is not withdrawn.
CREATE TABLE IF NOT EXISTS item (
	id TEXT PRIMARY KEY,
	link TEXT REFERENCES link (token_hash), -- that named it first; null if only a webhook did
	seen_at TEXT NOT NULL, -- when it was named first
	asked INTEGER NOT NULL DEFAULT 1, -- how often it was named
	asked_at TEXT NOT NULL, -- when it was named last
	answered INTEGER NOT NULL DEFAULT 0, -- `asked` of the last reading that succeeded
	tried_at TEXT, -- when it was read last
	client TEXT, -- whose it is by Pluggy's clientUserId, else by its link; null if unknown. No reference: it would keep items out while `client` is locked
	consent TEXT REFERENCES link (token_hash), -- the link whose consent covers it; null if none does
	bank TEXT,
	status TEXT, -- null: Pluggy has never returned it
	execution_status TEXT,
	updated_at TEXT,
	last_updated_at TEXT, -- when the transactions were read last
	next_auto_sync_at TEXT,
	consent_expires_at TEXT,
	listed INTEGER, -- how many accounts the last reading listed
	waits_until TEXT, -- until when to read it again; null if its status is final
	result TEXT, -- the last line in the log about it
	gone_at TEXT, -- Pluggy returns it no longer, which ends nothing
	deleted_at TEXT -- Pluggy accepted our deletion, or answered that the item does not exist
);
CREATE INDEX IF NOT EXISTS item_by_client ON item (client);
CREATE INDEX IF NOT EXISTS item_by_link ON item (link);

CREATE TABLE IF NOT EXISTS account (
	id TEXT PRIMARY KEY, -- Pluggy's: its transactions are at GET /v2/transactions?accountId=…
	item TEXT NOT NULL REFERENCES item (id),
	agency TEXT NOT NULL,
	number TEXT NOT NULL,
	name TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS account_by_item ON account (item);

CREATE TABLE IF NOT EXISTS log (
	id TEXT PRIMARY KEY, -- a hash of link, type and data: an entry that is sent again is stored once
	link TEXT NOT NULL REFERENCES link (token_hash),
	item TEXT, -- that Connect reported
	type TEXT NOT NULL,
	status TEXT NOT NULL,
	data TEXT NOT NULL,
	at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS log_by_link ON log (link);
CREATE INDEX IF NOT EXISTS log_by_time ON log (at);

-- One row: the application at Pluggy that the items belong to. Another one would not find them.
CREATE TABLE IF NOT EXISTS application (
	only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
	client_id TEXT NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS application_by_client_id ON application (client_id);
