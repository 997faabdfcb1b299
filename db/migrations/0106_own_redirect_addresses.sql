-- A provider may lead people back to an address of its tenant alone. Those that are named already know the shared one.
alter table identity_providers add column own_redirect boolean not null default false;
