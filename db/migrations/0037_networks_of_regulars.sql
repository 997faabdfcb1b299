-- atrium: no transaction
-- A refused sign-in asks whether anybody has signed in from its network.
drop index concurrently if exists sign_in_networks_by_network;
create index concurrently sign_in_networks_by_network on sign_in_networks (tenant_id, network);
