-- A session ends if it is not continued for as long as its tenant has set now, so a shorter time ends open ones. Sessions
-- that are open already count as continued now.

alter table sessions add column continued_at timestamptz(3) not null default now();

-- Sessions that were last continued before this moment have ended, and a longer time does not bring them back.
alter table tenants add column sessions_since timestamptz(3);
