-- Whether a tenant has written a section itself. Before, it was given its text when it was made.
alter table portal_sections add column written boolean not null default false;
